// This file declares workflows, and the service types that run on the eNMS server or send requests to other
// systems (enms-rest.md 1.5).

package kinds

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

var automationTypes = []kind.SubtypeTable{
	{Name: "workflow", Doc: "Runs services in the order of its edges.", Fields: []kind.Attribute{
		{Name: "services", Type: kind.Many, Of: "service", Doc: "The services of the workflow. If it is set at creation, even to [], eNMS removes `[Shared] Start` and `[Shared] End`. The inverse is `workflows` of each service; for `[Shared] Placeholder`, set `placeholder`."},
		{Name: "edges", Type: kind.Many, Of: "workflow_edge", Doc: "The edges of the workflow. Edges that are not listed are deleted."},
		text("category", "The category under which eNMS lists the workflow."),
		flag("close_connection", false, "Whether connections are closed at the end."),
		number("man_minutes", 0, "The minutes of work that a run saves."),
		{Name: "man_minutes_type", OnlyWith: "man_minutes", Default: "workflow", OneOf: []string{"workflow", "device"}, MaxLength: kind.ShortLength,
			Doc: "Whether `man_minutes` is for a run or for each of its devices."},
		sample(textOf("custom_property", "Default Value", "A string.")),
	}},
	{Name: "python_snippet_service", Doc: "Runs Python code.", Fields: []kind.Attribute{
		{Name: "source_code", Default: "", MaxLength: kind.Unbounded, Doc: "The code. It must set `results`, or runs fail.",
			Doubt: needed("Without code, every run fails. Write source_code in properties: Python code that sets results, such as results = { \"success\": True }.")},
	}},
	{Name: "data_processing_service", Doc: "Reads values from the payload, processes them and writes them back.",
		Fields: slices.Concat(processing("1"), processing("2"), processing("3"))},
	{Name: "data_validation_service", Doc: "Validates a value of the payload.", Fields: []kind.Attribute{
		text("query", "The Python expression for the value."),
	}},
	{Name: "swiss_army_knife_service", Doc: "Runs a method that is built into eNMS, or added by your site, with the name of the service without its prefix."},
}

// processing returns the fields of a step of data_processing_service.
func processing(step string) []kind.Attribute {
	return []kind.Attribute{
		text("variable"+step, "The variable that step "+step+" sets."),
		text("query"+step, "The Python expression for the value of step "+step+"."),
		choice("match_type"+step, "none", "How the value of step "+step+" is processed.", "none", "regex", "jinja2", "ttp", "textfsm", "textfsm_dict"),
		longText("match"+step, "The expression or template for it."),
		choice("operation"+step, "__setitem__", "How the value is written to the variable of step "+step+".", "__setitem__", "append", "extend", "update"),
	}
}

var transferTypes = []kind.SubtypeTable{
	{Name: "generic_file_transfer_service", Doc: "Copies a file by SCP or SFTP.", Fields: slices.Concat([]kind.Attribute{
		closed(choice("direction", "", "Whether the file is copied from the device or to it.", "get", "put")),
		choice("protocol", "", "The protocol.", "scp", "sftp"),
		text("source_file", "The path of the file to copy."),
		text("destination_file", "The path of the copy."),
		flag("missing_host_key_policy", false, "Whether unknown host keys are accepted."),
		on4(flag("load_known_host_keys", false, "Whether the known host keys of the server are loaded.")),
		flag("source_file_includes_globbing", false, "Whether `source_file` is a pattern for several files."),
		number("max_transfer_size", 1<<30, "The maximum number of bytes in a packet."),
		number("window_size", 1<<30, "The window of the transport, in bytes."),
		decimal("timeout", 10, "The timeout for the device, in seconds."),
		credentialsOf("device"),
	}, credentialFields)},
	{Name: "git_service", Doc: "Runs Git operations on a repository.", Fields: []kind.Attribute{
		{Name: "actions", Type: kind.List, OneOf: []string{"clone", "shallow_clone", "add_commit", "pull", "push"}, Doc: "The operations. eNMS determines their order."},
		text("local_repository", "The path of the repository on the server."),
		flag("relative_path", false, "Whether the path is relative to eNMS's directory."),
		text("remote_repository", "The URL to clone from."),
		longText("commit_message", "The message of the commit."),
	}},
}

var otherTypes = []kind.SubtypeTable{
	{Name: "rest_call_service", Doc: "Sends a request to a REST interface.", Fields: slices.Concat([]kind.Attribute{
		{Name: "call_type", Default: "", OneOf: []string{"GET", "POST", "PUT", "DELETE", "PATCH"}, Doc: "The method.",
			Doubt: needed("Without a method, every run fails. Write call_type = \"GET\", or another method, in properties.")},
		{Name: "rest_url", Default: "", MaxLength: kind.Unbounded, Doc: "The URL.",
			Doubt: needed("Without a URL, every run fails. Write rest_url in properties.")},
		{Name: "payload", Type: kind.Anything, On5: kind.On5{Text5: true}, Doc: "The body: an object, or its JSON as a string. eNMS 5 takes no other value."},
		{Name: "params", Type: kind.Anything, Doc: "The parameters of the URL."},
		{Name: "headers", Type: kind.Anything, Doc: "The headers."},
		flag("verify_ssl_certificate", true, "Whether the certificate of the server is verified."),
		number("timeout", 15, "The timeout of the response, in seconds."),
		credentialsOf("custom"),
	}, credentialFields, on5(
		text("substitution_type", "How `payload` is read after the substitution of variables: `string` or `dict`; empty for the default."),
		object("proxies", "The proxies, by scheme."),
		flag("allow_redirects", true, "Whether redirects are followed."),
	))},
	{Name: "ansible_playbook_service", Doc: "Runs an Ansible playbook.", Fields: []kind.Attribute{
		text("playbook_path", "The path of the playbook, below eNMS's directory of playbooks."),
		text("arguments", "Options of the command line."),
		object("options", "Variables, passed with `-e`."),
		flag("pass_device_properties", false, "Whether the fields of the device are passed as well, including its credentials."),
		textOf("credentials", "device", "Which credentials are passed; eNMS's form offers `device` alone."),
	}},
	{Name: "ping_service", Doc: "Pings devices from the eNMS server.", Fields: []kind.Attribute{
		choice("protocol", "", "The protocol: ICMP, or connections to TCP ports.", "ICMP", "TCP"),
		text("ip_address", "The address, if it is not that of the device."),
		text("ports", "The TCP ports, separated by commas."),
		number("count", 5, "The number of packets."),
		number("timeout", 2, "The timeout of a response, in seconds."),
		number("ttl", 60, "The time to live of a packet."),
		number("packet_size", 56, "The size of a packet in bytes."),
	}},
	{Name: "topology_import_service", Doc: "Imports devices and links from another system.", Fields: []kind.Attribute{
		choice("import_type", "", "The system.", "librenms", "netbox", "opennms"),
		text("netbox_address", "The URL of NetBox."),
		text("netbox_token", "The token for NetBox."),
		text("opennms_address", "The URL of OpenNMS."),
		text("opennms_devices", "The URL of OpenNMS's devices."),
		text("opennms_login", "The user for OpenNMS."),
		text("opennms_password", "The password for OpenNMS."),
		text("librenms_address", "The URL of LibreNMS."),
		text("librenms_token", "The token for LibreNMS."),
	}},
	{Name: "mail_notification_service", Doc: "Sends an email.", Fields: []kind.Attribute{
		text("title", "The subject."),
		text("sender", "The address of the sender."),
		text("recipients", "The addresses of the recipients, separated by commas."),
		text("replier", "The reply-to address."),
		on5(text("bcc", "The addresses that get a blind copy, separated by commas."))[0],
		body,
	}},
	{Name: "slack_notification_service", Doc: "Sends a message to Slack.", Fields: []kind.Attribute{
		text("channel", "The channel, if it is not the default of the server."),
		text("token", "The token for Slack. eNMS returns it to everybody who may read the service."),
		body,
	}},
	{Name: "mattermost_notification_service", Doc: "Sends a message to Mattermost.", Fields: []kind.Attribute{
		text("channel", "The channel, if it is not the default of the server."),
		body,
	}},
}

// body is the row of the text of a notification.
var body = longText("body", "The text of the message.")
