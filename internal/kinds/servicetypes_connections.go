// This file declares the other service types that connect to devices: by Scrapli,
// NAPALM, NETCONF and scripts (enms-rest.md 1.5).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

var scrapliTypes = []kind.SubtypeTable{
	{Name: "scrapli_service", Doc: "Sends commands or configuration.", Fields: connecting([]kind.Attribute{
		longText("commands", "The commands, one per line."),
		flag("jinja2_template", false, "Whether `commands` is a Jinja2 template."),
		flag("results_as_list", false, "Whether the result is a list with an entry for each command."),
	}, scrapliFields)},
	{Name: "scrapli_backup_service", Doc: "Stores the output of commands as the device's configuration or operational data.",
		Fields: connecting(backupCommands, backupFields, scrapliFields)},
}

var scrapliFields = []kind.Attribute{
	flag("is_configuration", false, "Whether the commands are configuration commands."),
	driver("Scrapli", scrapliDrivers, ""),
	textOf("transport", "system", "The transport of Scrapli: `system`, `paramiko`, `ssh2`, or another installed transport."),
	decimal("timeout_socket", 15, "The timeout of the connection, in seconds."),
	decimal("timeout_transport", 30, "The timeout of the transport, in seconds."),
	decimal("timeout_ops", 30, "The timeout of a response, in seconds."),
}

var napalmTypes = []kind.SubtypeTable{
	{Name: "napalm_getters_service", Doc: "Reads data from a device with NAPALM getters.", Fields: connecting(getters, napalmFields, napalmTimeout(60))},
	{Name: "napalm_configuration_service", Doc: "Merges or replaces configuration.", Fields: connecting([]kind.Attribute{
		choice("action", "", "Whether the configuration is merged into the configuration of the device or replaces it.", "load_merge_candidate", "load_replace_candidate"),
		longText("content", "The configuration."),
	}, napalmFields, napalmTimeout(60))},
	{Name: "napalm_rollback_service", Doc: "Rolls back the last change of the configuration.", Fields: connecting(napalmFields, napalmTimeout(60))},
	{Name: "napalm_backup_service", Doc: "Stores the output of getters as the device's configuration or operational data.",
		Fields: connecting(getters, backupFields, napalmFields, napalmTimeout(60))},
	{Name: "napalm_ping_service", Doc: "Pings an address from a device.", Fields: connecting([]kind.Attribute{
		number("count", 0, "The number of packets; 0 means 5."),
		number("packet_size", 0, "The size of a packet in bytes; 0 means 100."),
		number("ping_timeout", 2, "The timeout of a response, in seconds."),
	}, probeFields, napalmFields, napalmTimeout(10))},
	{Name: "napalm_traceroute_service", Doc: "Traces the route to an address from a device.",
		Fields: connecting(probeFields, napalmFields, napalmTimeout(0))},
}

var napalmFields = []kind.Attribute{
	driver("NAPALM", napalmDrivers, ""),
	object("optional_args", "Additional arguments of the driver."),
}

// napalmTimeout returns the row of the timeout, with a default.
func napalmTimeout(byDefault int) []kind.Attribute {
	return []kind.Attribute{number("timeout", byDefault, "The timeout for the device, in seconds.")}
}

var getters = []kind.Attribute{
	list("getters", "The getters: `get_facts`, `get_config`, `get_interfaces`, `is_alive` and so on, depending on the driver."),
}

// probeFields are the fields that a ping and a traceroute have in common.
var probeFields = []kind.Attribute{
	text("destination_ip", "The address to reach."),
	text("source_ip", "The address to send from."),
	number("ttl", 0, "The time to live of a packet; 0 means 255."),
	text("vrf", "The VRF to send from."),
}

var netconfTypes = []kind.SubtypeTable{
	{Name: "netconf_service", Doc: "Sends a NETCONF request with ncclient.", Fields: connecting([]kind.Attribute{
		choice("nc_type", "", "The operation.", "get_config", "get_filtered_config", "push_config", "copy_config", "rpc"),
		choice("target", "", "The datastore to read or write.", "running", "candidate", "startup"),
		choice("default_operation", "", "What `push_config` does with existing configuration.", "merge", "replace", "None"),
		choice("test_option", "", "Whether `push_config` tests first.", "test-then-set", "set", "None"),
		choice("error_option", "", "What `push_config` does after an error.", "stop-on-error", "continue-on-error", "rollback-on-error", "None"),
		longText("xml_filter", "The XML to send: a filter, a configuration or a request."),
		flag("lock", false, "Whether the datastore is locked first."),
		flag("unlock", false, "Whether the datastore is unlocked at the end."),
		flag("commit_conf", false, "Whether the change is committed."),
		choice("copy_source", "", "What `copy_config` copies from.", "running", "candidate", "startup", "source_url"),
		text("source_url", "The URL for `copy_source = \"source_url\"`."),
		choice("copy_destination", "", "What `copy_config` copies to.", "running", "candidate", "startup", "destination_url"),
		text("destination_url", "The URL for `copy_destination = \"destination_url\"`."),
		flag("xml_conversion", true, "Whether the XML response is converted to an object."),
	})},
	{Name: "scrapli_netconf_service", Doc: "Sends a NETCONF request with Scrapli.", Fields: connecting([]kind.Attribute{
		choice("command", "", "The operation.", "get", "rpc", "get_config", "edit_config", "delete_config", "commit", "discard", "lock", "unlock"),
		choice("target", "", "The datastore to read or write.", "running", "startup", "candidate"),
		longText("content", "The XML to send."),
		flag("commit_config", false, "Whether the edited configuration is committed."),
		flag("strip_namespaces", false, "Whether namespaces are removed from the response."),
	})},
}

var unixTypes = []kind.SubtypeTable{
	{Name: "unix_shell_script_service", Doc: "Runs a script on a device.", Fields: connecting([]kind.Attribute{
		longText("source_code", "The script."),
	}, netmikoDriver, netmikoModes(false), promptRows, stripRows(true), on5(readTimeout...), netmikoTimeouts)},
	{Name: "unix_command_service", Doc: "Runs a command on the eNMS server.", Fields: []kind.Attribute{
		text("command", "The command."),
		flag("approved_by_admin", false, "Whether an administrator has approved the command. Otherwise it does not run."),
	}},
}
