// This file declares the service types that use Netmiko, and the fields of types that store their output
// (enms-rest.md 1.5).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

var netmikoTypes = []kind.SubtypeTable{
	{Name: "netmiko_commands_service", Doc: "Sends commands and validates the output.", Fields: connecting([]kind.Attribute{
		longText("commands", "The commands, one per line."),
		flag("jinja2_template", false, "Whether `commands` is a Jinja2 template."),
		flag("results_as_list", false, "Whether the result is a list with an entry for each command."),
		flag("use_textfsm", false, "Whether the output is parsed with TextFSM."),
		flag("use_genie", false, "Whether the output is parsed with Genie."),
		text("config_mode_command", "The command that enters the configuration mode, if it is not the driver's."),
	}, promptRows, stripRows(true), netmikoDriver, netmikoModes(true), readTimeout, netmikoTimeouts, jumpFields)},
	{Name: "netmiko_configuration_service", Doc: "Sends configuration.", Fields: connecting([]kind.Attribute{
		longText("content", "The configuration, one command per line."),
		flag("commit_configuration", false, "Whether the configuration is committed."),
		flag("exit_config_mode", true, "Whether to exit the configuration mode at the end."),
		text("config_mode_command", "The command that enters the configuration mode, if it is not the driver's."),
	}, on5(flag("jinja2_template", false, "Whether `content` is a Jinja2 template."), cmdVerify), stripRows(false), netmikoDriver, netmikoModes(true), readTimeout, netmikoTimeouts)},
	{Name: "netmiko_prompts_service", Doc: "Sends a command and answers the prompts of the device.", Fields: connecting([]kind.Attribute{
		text("command", "The command."),
		longText("confirmation1", "The first prompt."),
		text("response1", "The answer to `confirmation1`."),
		longText("confirmation2", "The second prompt."),
		text("response2", "The answer to `confirmation2`."),
		longText("confirmation3", "The third prompt."),
		text("response3", "The answer to `confirmation3`."),
		expectString,
	}, on5(cmdVerify), netmikoDriver, netmikoModes(true), readTimeout, netmikoTimeouts, jumpFields)},
	{Name: "netmiko_backup_service", Doc: "Stores the output of commands as the device's configuration or operational data.",
		Fields: connecting(backupCommands, backupFields, netmikoDriver, netmikoModes(true), readTimeout, netmikoTimeouts, jumpFields)},
	{Name: "netmiko_file_transfer_service", Doc: "Copies a file to or from a device.", Fields: connecting([]kind.Attribute{
		closed(choice("direction", "", "Whether the file is copied to the device or from it.", "put", "get")),
		text("source_file", "The path of the file to copy."),
		text("destination_file", "The path of the copy."),
		text("file_system", "The file system of the device, such as `flash:`."),
		flag("disable_md5", false, "Whether to skip the comparison of checksums."),
		flag("inline_transfer", false, "Whether the file is sent in the terminal session (Cisco IOS only)."),
		flag("overwrite_file", false, "Whether an existing file is replaced."),
	}, netmikoDriver, netmikoModes(true), on5(readTimeout...), netmikoTimeouts)},
}

var cmdVerify = flag("cmd_verify", false, "Whether Netmiko checks that the device echoes each command.")

// netmikoDriver is the driver of the types that use Netmiko.
var netmikoDriver = []kind.Attribute{
	driver("Netmiko", netmikoDrivers, " With eNMS's default, no run succeeds."),
}

// netmikoModes returns the rows of the modes in which commands are sent. enableByDefault is the default of
// enable_mode.
func netmikoModes(enableByDefault bool) []kind.Attribute {
	return []kind.Attribute{
		flag("enable_mode", enableByDefault, "Whether the session enters the privileged mode."),
		flag("config_mode", false, "Whether the session enters the configuration mode."),
	}
}

var readTimeout = []kind.Attribute{decimal("read_timeout", 10, "The timeout of the output, in seconds.")}

var netmikoTimeouts = []kind.Attribute{
	decimal("conn_timeout", 10, "The timeout of the connection, in seconds."),
	decimal("auth_timeout", 0, "The timeout of the authentication, in seconds; 0 means Netmiko's default."),
	decimal("banner_timeout", 15, "The timeout of the banner, in seconds."),
	on4(flag("fast_cli", false, "Whether Netmiko uses minimal delays.")),
	{Name: "global_delay_factor", Type: kind.Decimal, Default: 1.0, On5: kind.On5{Default5: 0.1}, Range: kind.NotNegative, Doc: "The factor for Netmiko's delays."},
}

// expectString is the row of the expression at which the output ends.
var expectString = text("expect_string", "The regular expression at the end of the output, in place of the prompt.")

var promptRows = []kind.Attribute{
	flag("auto_find_prompt", true, "Whether Netmiko detects the prompt at the end of the output."),
	expectString,
}

// stripRows returns the rows of what is removed from the output, both with the same default.
func stripRows(byDefault bool) []kind.Attribute {
	return []kind.Attribute{
		flag("strip_prompt", byDefault, "Whether the prompt is removed from the output."),
		flag("strip_command", byDefault, "Whether the command is removed from the output."),
	}
}

// jumpFields are the rows of a session that continues to another device.
var jumpFields = []kind.Attribute{
	flag("jump_on_connect", false, "Whether the session continues from this device to another one."),
	onlyWith("jump_on_connect", text("jump_command", "The command that connects to the other device.")),
	onlyWith("jump_on_connect", text("jump_username", "The user on the other device.")),
	text("jump_password", "The password on the other device."),
	onlyWith("jump_on_connect", text("exit_command", "The command that returns from the other device.")),
	onlyWith("jump_on_connect", text("expect_username_prompt", "The prompt for the user.")),
	onlyWith("jump_on_connect", text("expect_password_prompt", "The prompt for the password.")),
	onlyWith("jump_on_connect", text("expect_prompt", "The prompt of the other device.")),
}

// backupCommands are the rows of the commands whose output is stored.
var backupCommands = []kind.Attribute{
	list("commands", "The commands, each an object `{ value, prefix }`: the command, and a prefix for each line of its output."),
	flag("add_header", true, "Whether a header precedes each output."),
}

// backupFields are the rows of where the output is stored.
var backupFields = []kind.Attribute{
	text("property", "Where the output is stored: `configuration`, `operational_data`, `specialized_data`, or a custom property."),
	textOf("local_path", "network_data", "The directory on the server where the output is also stored."),
	list("replacements", "Replacements in the output, each an object `{ pattern, replace_with }`."),
}
