// The tables of services, workflows and edges (1.5, 1.13).

package model

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
)

// credentialFields declares the fields of the types that 1.5 marks with (c).
func credentialFields(credentials string) element {
	return join(text(credentials, "credentials"), one("named_credential", "credential", ""),
		text("", "custom_username"), secret("custom_password"))
}

var (
	netmikoTimeouts = join(decimal(10, "conn_timeout"), decimal(0, "auth_timeout"), decimal(15, "banner_timeout"),
		until47(flag(false, "fast_cli"), decimal(1, "global_delay_factor")), since53(decimal(0.1, "global_delay_factor")))
	netmikoReads = join(decimal(10, "read_timeout"), netmikoTimeouts)
	netmikoJump  = join(flag(false, "jump_on_connect"), secret("jump_password"), text("", "jump_command", "jump_username",
		"exit_command", "expect_username_prompt", "expect_password_prompt", "expect_prompt"))
	netmikoModes = join(flag(true, "enable_mode"), flag(false, "config_mode"), text("", "driver"))
	scrapliLine  = join(flag(false, "is_configuration"), text("", "driver"), text("system", "transport"),
		decimal(15, "timeout_socket"), decimal(30, "timeout_transport", "timeout_ops"))
	backup     = join(text("network_data", "local_path"), text("", "property"), list("replacements"))
	napalmBase = join(text("", "driver"), integer(int64(60), "timeout"), mapping("optional_args"))
)

func serviceTypes(c catalog) {
	c.root("service", serviceFields, custom, serviceRelations, rightsOn("service"),
		until47(searchAdds("path", "scoped_name", "mandatory_parametrization")),
		since53(logged("service"), searchAdds("builder_link", "path", "scoped_name", "mandatory_parametrization")))
	c.sub("connection_service", "service", credentialFields("device"),
		flag(false, "start_new_connection", "close_connection"), text("default", "connection_name"))
	c.sub("workflow", "service",
		text("", "category"), flag(false, "close_connection"), mapping("labels"), text("workflow", "man_minutes_type"),
		integer(int64(0), "man_minutes", "man_minutes_total"),
		since53(mapping("positions"), many("service_changelogs", "changelog", "workflows")),
		many("services", "service", "workflows"),
		addRelation(database.Relation{Name: "edges", Target: "workflow_edge", Many: true, Reverse: "workflow", Orphans: true}),
		one("superworkflow", "workflow", ""))
	for _, declareSome := range []func(catalog){netmikoServices, scrapliServices, napalmServices, otherServices, localServices} {
		declareSome(c)
	}
	c.root("workflow_edge",
		text("", "label", "color", "subtype"), since53(flag(false, SoftDeleted), logged("workflow_edge")),
		one("source", "service", "destinations"), one("destination", "service", "sources"),
		one("workflow", "workflow", "edges"),
		func(m *database.Type) { m.Unique = []string{"workflow", "source", "destination", "subtype"} })
}

var serviceFields = join(
	text("", "path", "creator", "last_modified", "last_modified_by", "last_run", "description", "scoped_name",
		"vendor", "operating_system", "device_query", "report", "disabled_info", "notification_header",
		"mail_recipient", "reply_to", "parameterized_form", "parameterized_form_template", "skip_query",
		"iteration_values", "iteration_devices", "preprocessing", "postprocessing", "content_match"),
	flag(false, "admin_only", "shared", "disable_result_creation", "update_target_pools",
		"report_jinja2_template", "disabled", "display_report", "email_report", "send_notification",
		"mandatory_parametrization", "multiprocessing", "content_match_regex", "negative_logic",
		"delete_spaces_before_matching"),
	flag(true, "display_only_failed_nodes", "include_device_results", "include_link_in_summary"),
	integer(int64(10), "priority", "time_between_retries"), integer(int64(0), "number_of_retries", "waiting_time"),
	integer(int64(100), "max_number_of_retries"), integer(int64(1), "maximum_runs", "log_level"),
	integer(int64(5), "max_processes"),
	text("any", "credential_type"), text("ip_address", "device_query_property", "iteration_devices_property"),
	text("text", "report_format", "validation_method"), text("mail", "send_notification_method"),
	until47(flag(false, "update_pools_after_running"), text("True", "skip_value"), mapping("positions")),
	since53(text("success", "skip_value"), text("", "persistent_id", "version", "mail_subject", "mail_sender", "mail_bcc", "builder_link"),
		flag(false, "dry_run", "high_performance", SoftDeleted), flag(true, "show_user_logs")),
	text("iteration_value", "iteration_variable_name"),
	text("success", "postprocessing_mode"), text("Idle", "status"),
	text("none", "validation_condition", "conversion_method"), text("results['result']", "validation_section"),
	text("per_device", "run_method"),
	mapping("initial_payload", "skip", "dict_match"), list("restrict_to_owners"))

var serviceRelations = join(
	addRelation(database.Relation{Name: "tasks", Target: "task", Many: true, Reverse: "service", Cascade: true}),
	many("workflows", "workflow", "services"), many("runs", "run", "services"),
	many("target_devices", "device", "target_services"), many("target_pools", "pool", "target_services"),
	addRelation(database.Relation{Name: "sources", Target: "workflow_edge", Many: true, Reverse: "destination", Unlisted: true, Orphans: true}),
	addRelation(database.Relation{Name: "destinations", Target: "workflow_edge", Many: true, Reverse: "source", Unlisted: true, Orphans: true}))

// showsEdges is for the types whose answers contain their edges. Which types these are depends on the
// installation; here they are those of the recorded one.
var showsEdges = listed("sources", "destinations")

// service declares a service type that runs on its own.
func (c catalog) service(name string, elements ...element) { c.sub(name, "service", elements...) }

// connection declares a service type that connects to devices.
func (c catalog) connection(name string, elements ...element) {
	c.sub(name, "connection_service", elements...)
}

func netmikoServices(c catalog) {
	c.connection("netmiko_commands_service", netmikoModes, netmikoReads, netmikoJump,
		text("", "commands", "expect_string", "config_mode_command"),
		flag(false, "jinja2_template", "results_as_list", "use_textfsm", "use_genie"),
		flag(true, "auto_find_prompt", "strip_prompt", "strip_command"))
	c.connection("netmiko_configuration_service", netmikoModes, netmikoReads,
		text("", "content", "config_mode_command"),
		flag(false, "commit_configuration", "strip_prompt", "strip_command"), flag(true, "exit_config_mode"),
		since53(flag(false, "jinja2_template", "cmd_verify")))
	c.connection("netmiko_prompts_service", netmikoModes, netmikoReads, netmikoJump,
		text("", "command", "confirmation1", "confirmation2", "confirmation3",
			"response1", "response2", "response3", "expect_string"), since53(flag(false, "cmd_verify")))
	c.connection("netmiko_backup_service", netmikoModes, netmikoReads, netmikoJump, backup,
		list("commands"), flag(true, "add_header"))
	c.connection("netmiko_file_transfer_service", netmikoModes, netmikoTimeouts, since53(decimal(10, "read_timeout")),
		text("", "direction", "source_file", "destination_file", "file_system"),
		flag(false, "disable_md5", "inline_transfer", "overwrite_file"))
	c.connection("unix_shell_script_service", showsEdges, netmikoTimeouts, since53(decimal(10, "read_timeout")),
		text("", "source_code", "driver", "expect_string"), flag(false, "enable_mode", "config_mode"),
		flag(true, "auto_find_prompt", "strip_prompt", "strip_command"))
}

func scrapliServices(c catalog) {
	c.connection("scrapli_service", scrapliLine, text("", "commands"), flag(false, "jinja2_template", "results_as_list"))
	c.connection("scrapli_backup_service", scrapliLine, backup, list("commands"), flag(true, "add_header"))
	c.connection("scrapli_netconf_service", showsEdges, text("", "command", "target", "content"),
		flag(false, "commit_config", "strip_namespaces"))
	c.connection("netconf_service", showsEdges,
		text("", "nc_type", "target", "default_operation", "test_option", "error_option", "xml_filter",
			"copy_source", "source_url", "copy_destination", "destination_url"),
		flag(false, "lock", "unlock", "commit_conf"), flag(true, "xml_conversion"))
}

func napalmServices(c catalog) {
	c.connection("napalm_getters_service", napalmBase, list("getters"))
	c.connection("napalm_configuration_service", napalmBase, text("", "action", "content"))
	c.connection("napalm_rollback_service", napalmBase)
	c.connection("napalm_backup_service", napalmBase, backup, list("getters"))
	c.connection("napalm_ping_service", napalmBase, text("", "destination_ip", "source_ip", "vrf"),
		integer(int64(0), "count", "packet_size", "ttl"), integer(int64(2), "ping_timeout"), integer(int64(10), "timeout"))
	c.connection("napalm_traceroute_service", napalmBase, text("", "destination_ip", "source_ip", "vrf"),
		integer(int64(0), "ttl", "timeout"))
}

func otherServices(c catalog) {
	c.service("unix_command_service", showsEdges, text("", "command"), flag(false, "approved_by_admin"))
	c.service("rest_call_service", credentialFields("custom"), text("", "call_type", "rest_url"),
		until47(anyJSON("payload")), since53(text("", "payload", "substitution_type"), anyJSON("proxies"), flag(true, "allow_redirects")),
		anyJSON("params", "headers"), flag(true, "verify_ssl_certificate"), integer(int64(15), "timeout"))
	c.service("ansible_playbook_service", text("", "playbook_path", "arguments"), mapping("options"),
		flag(false, "pass_device_properties"), text("device", "credentials"))
	c.service("ping_service", text("", "protocol", "ip_address", "ports"), integer(int64(5), "count"),
		integer(int64(2), "timeout"), integer(int64(60), "ttl"), integer(int64(56), "packet_size"))
	c.service("git_service", list("actions"), text("", "local_repository", "remote_repository", "commit_message"),
		flag(false, "relative_path"))
	c.service("generic_file_transfer_service", credentialFields("device"),
		text("", "direction", "protocol", "source_file", "destination_file"),
		flag(false, "missing_host_key_policy", "source_file_includes_globbing"), until47(flag(false, "load_known_host_keys")),
		integer(int64(1073741824), "max_transfer_size", "window_size"), decimal(10, "timeout"))
	c.service("mail_notification_service", text("", "title", "sender", "recipients", "replier", "body"), since53(text("", "bcc")))
	c.service("slack_notification_service", text("", "channel", "token", "body"))
	c.service("mattermost_notification_service", text("", "channel", "body"))
	c.service("topology_import_service", text("", "import_type", "netbox_address", "opennms_address",
		"opennms_devices", "opennms_login", "librenms_address"),
		secret("netbox_token", "opennms_password", "librenms_token"))
}

func localServices(c catalog) {
	c.service("python_snippet_service", showsEdges, text("", "source_code"))
	c.service("data_processing_service", showsEdges,
		text("", "variable1", "query1", "match1", "variable2", "query2", "match2", "variable3", "query3", "match3"),
		text("none", "match_type1", "match_type2", "match_type3"),
		text("__setitem__", "operation1", "operation2", "operation3"))
	c.service("data_validation_service", text("", "query"))
	c.service("swiss_army_knife_service")
	if c.version == V53 {
		temporalServices(c)
	}
}

func temporalServices(c catalog) {
	c.service("temporal_run_service", text("", "server_url", "workflow_name", "task_queue", "workflow_args"),
		integer(int64(3600), "timeout_seconds"), flag(true, "wait_for_result"))
	running := text("", "server_url", "workflow_id", "run_id")
	c.service("get_temporal_data_service", running)
	c.service("get_temporal_result_service", running, integer(int64(3600), "timeout_seconds"))
	c.service("send_temporal_signal_service", running, text("", "signal_name", "signal_args"))
	c.service("stop_temporal_workflow_service", running, text("", "stop_method", "terminate_reason"))
}
