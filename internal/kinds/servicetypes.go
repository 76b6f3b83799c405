// This file lists the service types of eNMS, and the properties that all of them have (enms-rest.md
// 1.5).

package kinds

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// serviceTables are the service types of eNMS 4.7.
var serviceTables = slices.Concat(automationTypes, netmikoTypes, scrapliTypes, napalmTypes, netconfTypes, unixTypes, transferTypes, otherTypes, baseTypes)

// serviceFields are the properties of every service.
var serviceFields = slices.Concat(targetFields, iterationFields, codeFields, validationFields, reportFields, formFields, sampleServiceFields, on5(newFields...))

var targetFields = []kind.Attribute{
	{Name: "device_query", Default: "", MaxLength: kind.Unbounded, Target: true, Doc: "A Python expression that returns the devices to run on, in addition to `target_devices` and `target_pools`."},
	onlyWith("device_query", choice("device_query_property", "ip_address", "What `device_query` returns: names or addresses of devices.", "name", "ip_address")),
	flag("update_target_pools", false, "Whether the members of the pools in `target_pools` are computed before a run."),
	on4(flag("update_pools_after_running", false, "Whether the members of pools are computed after a run.")),
	flag("admin_only", false, "Whether only administrators see the service; owners do not."),
	{Name: "restrict_to_owners", Type: kind.List, OneOf: []string{"edit", "run"}, Doc: "Operations that only the owners may perform."},
	flag("disable_result_creation", false, "Whether eNMS stores only the results of failed runs."),
}

// newFields are fields that came with eNMS 5.
var newFields = []kind.Attribute{
	flag("dry_run", false, "Whether a run skips the work itself, and returns what it would use."),
	flag("high_performance", false, "Whether eNMS stores the results of a run only at its end."),
	flag("show_user_logs", true, "Whether eNMS shows the log of a run to its user."),
	text("version", "The version of the service: any string."),
	text("mail_subject", "The subject of the email notification."),
	text("mail_sender", "The sender of the email notification."),
	text("mail_bcc", "The email addresses that get a blind copy of the notification."),
}

var iterationFields = []kind.Attribute{
	longText("iteration_values", "A Python expression that returns values; the service runs once for each."),
	onlyWith("iteration_values", textOf("iteration_variable_name", "iteration_value", "The variable with the value of the iteration.")),
	longText("iteration_devices", "A Python expression that returns devices; for every target, the service runs once on each of them."),
	{Name: "iteration_devices_property", OnlyWith: "iteration_devices", Default: "ip_address", OneOf: []string{"name", "ip_address"}, MaxLength: kind.ShortLength,
		Doc: "What `iteration_devices` returns: names or addresses of devices."},
	{Name: "skip", Type: kind.JSON, KeysOf: "workflow", Doc: "The workflows in which the service is skipped: an object of names and Booleans."},
	longText("skip_query", "A Python expression; the service is skipped if it is true."),
}

var codeFields = []kind.Attribute{
	longText("preprocessing", "Python code that runs before the service."),
	longText("postprocessing", "Python code that runs after the service."),
	{Name: "postprocessing_mode", OnlyWith: "postprocessing", Default: "success", OneOf: []string{"success", "failure", "always"}, MaxLength: kind.ShortLength,
		Doc: "The result after which `postprocessing` runs."},
}

var validationFields = []kind.Attribute{
	{Name: "conversion_method", Default: "none", OneOf: []string{"none", "text", "json", "xml"}, MaxLength: kind.ShortLength,
		Doc: "How the result is converted before validation: not at all, to a string, or parsed as JSON or XML."},
	{Name: "validation_condition", Default: "none", OneOf: []string{"none", "success", "failure", "always"}, MaxLength: kind.ShortLength,
		Doc: "The result after which the validation runs."},
	{Name: "validation_method", Default: "text", OneOf: []string{"text", "dict_included", "dict_equal", "none"}, MaxLength: kind.ShortLength,
		Doc: "How the result is validated: by a string, or by an object that it must include or equal. eNMS's own services, such as `[Shared] End`, have `none`, which eNMS treats like `dict_included` if there is a validation."},
	{Name: "validation_section", Default: "results['result']", MaxLength: kind.Unbounded, Doc: "A Python expression for the part of the results to validate."},
	longText("content_match", "The string that the result must contain."),
	flag("content_match_regex", false, "Whether `content_match` is a regular expression."),
	object("dict_match", "The object to compare the result with."),
	flag("negative_logic", false, "Whether the validation succeeds if nothing matches."),
	flag("delete_spaces_before_matching", false, "Whether spaces and line breaks are ignored."),
}

var reportFields = []kind.Attribute{
	longText("report", "The report of a run; `{{ }}` in it is replaced."),
	{Name: "report_format", Default: "text", OneOf: []string{"text", "html"}, MaxLength: kind.ShortLength, Doc: "The format of the report."},
	flag("report_jinja2_template", false, "Whether `report` is a Jinja2 template."),
	flag("display_report", false, "Whether eNMS shows the report in place of the results."),
	flag("email_report", false, "Whether the email notification contains the report."),
	flag("send_notification", false, "Whether a notification is sent after a run."),
	{Name: "send_notification_method", OnlyWith: "send_notification", Default: "mail", OneOf: []string{"mail", "slack", "mattermost"}, MaxLength: kind.ShortLength, Doc: "The method of the notification."},
	longText("notification_header", "The text at the beginning of the notification."),
	onlyWith("send_notification", flag("display_only_failed_nodes", true, "Whether the notification lists only the devices that failed.")),
	onlyWith("send_notification", flag("include_device_results", true, "Whether the notification contains the results of each device.")),
	onlyWith("send_notification", flag("include_link_in_summary", true, "Whether the notification contains a link to the results.")),
	text("mail_recipient", "The email addresses for notifications, separated by commas."),
	text("reply_to", "The reply-to address of the email."),
}

// usualForm is the parameterized form that eNMS's web page for a new service proposes.
const usualForm = `name = StringField('Name', [InputRequired()])
initial_payload = DictField()
target_devices = MultipleInstanceField('Devices', model='device')
target_pools = MultipleInstanceField('Pools', model='pool')
device_query = StringField('Device Query', python=True, widget=TextArea(), render_kw={'rows': 2})
device_query_property = SelectField('Query Property Type', choices=(('name', 'Name'), ('ip_address', 'IP address')))
multiprocessing = BooleanField('Multiprocessing', default=False)
max_processes = IntegerField('Maximum number of processes', default=15)`

var formFields = []kind.Attribute{
	{Name: "parameterized_form", Default: "", MaxLength: kind.Unbounded, OnCreate: usualForm,
		Doc: "The Python code of the form for the parameters of a run. If it is not set at creation, the provider sends the form that eNMS's web pages propose (name, payload, targets, processes). Write `\"\"` for a form without fields."},
	longText("parameterized_form_template", "The HTML template of that form."),
	flag("mandatory_parametrization", false, "Whether the form must be filled in for every run."),
}

// sampleServiceFields are the custom properties of services in eNMS's sample configuration.
var sampleServiceFields = []kind.Attribute{
	sample(textOf("definition", "Definition", "A string.")),
	sample(flag("reserved", false, "A Boolean.")),
	sample(flag("impacting", true, "A Boolean.")),
	sample(number("completion_time", 1, "A whole number.")),
	sample(textOf("mandatory_parameter", "Default Value", "A string that is required in eNMS's form.")),
}

// baseTypes are the types from which the others are derived.
var baseTypes = []kind.SubtypeTable{
	{Name: "service", Doc: "The base of all types. It does nothing."},
	{Name: "connection_service", Doc: "The base of the types that connect to devices. It does nothing.", Fields: connectionFields},
}
