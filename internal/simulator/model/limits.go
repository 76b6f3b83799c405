// How much text the columns hold: 255 characters unless they are named here.

package model

import (
	"slices"
	"strings"
)

const (
	tinyText  = 64
	smallText = 255
	largeText = 0
)

// tinyTexts hold 64 characters.
var tinyTexts = []string{"authentication", "color", "commit_sha", "conversion_method", "crontab_expression",
	"disabled_info", "duration", "end_date", "frequency_unit", "icon", "ip_address", "iteration_devices_property",
	"last_modified", "last_restart", "latitude", "longitude", "mac_address", "man_minutes_type", "napalm_driver",
	"netconf_driver", "netmiko_driver", "path", "postprocessing_mode", "report_format", "run_method", "runtime",
	"scheduler_address", "scheduling_mode", "scrapli_driver", "send_notification_method", "server_commit_sha",
	"server_version", "start_date", "status", "theme", "trigger", "validation_condition", "validation_method", "version"}

// largeTexts hold any number of characters.
var largeTexts = []string{"body", "commands", "commit_message", "configuration", "confirmation1", "confirmation2",
	"confirmation3", "content", "content_match", "description", "device_query", "iteration_devices",
	"iteration_values", "labels", "match1", "match2", "match3", "notification_header", "operational_data",
	"parameterized_form", "parameterized_form_template", "postprocessing", "preprocessing", "private_key", "report",
	"rest_url", "skip_query", "source_code", "specialized_data", "validation_section", "xml_filter"}

// otherTexts are columns that differ from those of the same name elsewhere.
var otherTexts = map[string]int{"server.role": tinyText, "workflow_edge.color": smallText,
	"ping_service.ip_address": smallText, "user.password": largeText}

func textLimit(model, property string) int {
	if limit, known := otherTexts[model+"."+property]; known {
		return limit
	}
	switch {
	case model == "pool" && strings.HasSuffix(property, "_match"):
		return tinyText
	case model == "pool" && (strings.HasPrefix(property, "device_") || strings.HasPrefix(property, "link_")):
		return largeText
	case slices.Contains(tinyTexts, property):
		return tinyText
	case slices.Contains(largeTexts, property):
		return largeText
	default:
		return smallText
	}
}
