// This file is the list of service types that eNMS ships, and the fields that all
// of them have beyond the attributes of enms_service (enms-rest.md 1.5).

package kinds

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// serviceTables are the service types of eNMS 4.7.
var serviceTables = slices.Concat(automationTypes, netmikoTypes, scrapliTypes, napalmTypes, netconfTypes, unixTypes, transferTypes, otherTypes, baseTypes)

// serviceFields are the further fields of every service.
var serviceFields = slices.Concat(targetFields, iterationFields, codeFields, validationFields, reportFields, formFields, sampleServiceFields)

var targetFields = []kind.Attribute{
	longText("device_query", "A Python expression that yields the devices to run on, in addition to `target_devices` and `target_pools`."),
	onlyWith("device_query", choice("device_query_property", "ip_address", "What `device_query` yields: names of devices, or their addresses.", "name", "ip_address")),
	flag("update_target_pools", false, "Whether the pools in `target_pools` are computed anew before a run."),
	flag("update_pools_after_running", false, "Whether pools are computed anew after a run."),
	flag("admin_only", false, "Whether only administrators see the service, its owners not included."),
	{Name: "restrict_to_owners", Type: kind.List, OneOf: []string{"edit", "run"}, Doc: "What only the owners may do."},
	flag("disable_result_creation", false, "Whether eNMS keeps only the results of failed runs."),
}

var iterationFields = []kind.Attribute{
	longText("iteration_values", "A Python expression that yields values; the service runs once for each."),
	onlyWith("iteration_values", textOf("iteration_variable_name", "iteration_value", "The variable that holds the value of the iteration.")),
	longText("iteration_devices", "A Python expression that yields devices; the service runs once on each of them for every target."),
	{Name: "iteration_devices_property", OnlyWith: "iteration_devices", Default: "ip_address", OneOf: []string{"name", "ip_address"}, MaxLength: kind.ShortLength,
		Doc: "What `iteration_devices` yields: names of devices, or their addresses."},
	object("skip", "In which workflows the service is skipped: their names, each with true or false."),
	longText("skip_query", "A Python expression; the service is skipped where it is true."),
}

var codeFields = []kind.Attribute{
	longText("preprocessing", "Python code that runs before the service."),
	longText("postprocessing", "Python code that runs after the service."),
	{Name: "postprocessing_mode", OnlyWith: "postprocessing", Default: "success", OneOf: []string{"success", "failure", "always"}, MaxLength: kind.ShortLength,
		Doc: "After which results `postprocessing` runs."},
}

var validationFields = []kind.Attribute{
	{Name: "conversion_method", Default: "none", OneOf: []string{"none", "text", "json", "xml"}, MaxLength: kind.ShortLength,
		Doc: "What the result is turned into before it is validated: nothing else, a text, or what it means as JSON or XML."},
	{Name: "validation_condition", Default: "none", OneOf: []string{"none", "success", "failure", "always"}, MaxLength: kind.ShortLength,
		Doc: "After which results the validation below runs."},
	{Name: "validation_method", Default: "text", OneOf: []string{"text", "dict_included", "dict_equal", "none"}, MaxLength: kind.ShortLength,
		Doc: "How the result is validated: by a text, or by an object that it has to include or to equal. eNMS's own services, such as `[Shared] End`, hold `none`: it takes that for `dict_included` when `validation_condition` asks for a validation."},
	{Name: "validation_section", Default: "results['result']", MaxLength: kind.Unbounded, Doc: "The Python expression for the part of the results that is validated."},
	longText("content_match", "The text that has to be found in the result."),
	flag("content_match_regex", false, "Whether `content_match` is a regular expression."),
	object("dict_match", "The object that the result is compared with."),
	flag("negative_logic", false, "Whether the validation succeeds when nothing matches."),
	flag("delete_spaces_before_matching", false, "Whether spaces and line breaks do not count in the comparison."),
}

var reportFields = []kind.Attribute{
	longText("report", "The report of a run; `{{ }}` in it are replaced."),
	{Name: "report_format", Default: "text", OneOf: []string{"text", "html"}, MaxLength: kind.ShortLength, Doc: "The format of the report."},
	flag("report_jinja2_template", false, "Whether `report` is a Jinja2 template."),
	flag("display_report", false, "Whether eNMS shows the report in place of the results."),
	flag("email_report", false, "Whether the notification by mail holds the report."),
	flag("send_notification", false, "Whether a notification is sent after a run."),
	{Name: "send_notification_method", OnlyWith: "send_notification", Default: "mail", OneOf: []string{"mail", "slack", "mattermost"}, MaxLength: kind.ShortLength, Doc: "How the notification is sent."},
	longText("notification_header", "The text at the beginning of the notification."),
	onlyWith("send_notification", flag("display_only_failed_nodes", true, "Whether the notification lists only the devices that failed.")),
	onlyWith("send_notification", flag("include_device_results", true, "Whether the notification holds the results of each device.")),
	onlyWith("send_notification", flag("include_link_in_summary", true, "Whether the notification holds a link to the results.")),
	text("mail_recipient", "The addresses that a notification by mail goes to, separated by commas."),
	text("reply_to", "The address that answers to the mail go to."),
}

// usualForm is the parameterized form that eNMS's form for services begins with.
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
		Doc: "Python code of the form that asks for parameters of a run. eNMS itself leaves it empty, and `Parameterized Run` then shows a form without fields: a service that is created without it gets the fields that eNMS's web form proposes (name, payload, targets, processes). Write `\"\"` for none."},
	longText("parameterized_form_template", "The HTML template of that form."),
	flag("mandatory_parametrization", false, "Whether the form has to be filled in for every run."),
}

// sampleServiceFields are custom properties of eNMS's sample configuration.
var sampleServiceFields = []kind.Attribute{
	sample(textOf("definition", "Definition", "A text.")),
	sample(flag("reserved", false, "True or false.")),
	sample(flag("impacting", true, "True or false.")),
	sample(number("completion_time", 1, "A whole number.")),
	sample(textOf("mandatory_parameter", "Default Value", "A text that eNMS's form demands.")),
}

// baseTypes are what the other types are made from.
var baseTypes = []kind.SubtypeTable{
	{Name: "service", Doc: "The base of all types. It runs nothing by itself."},
	{Name: "connection_service", Doc: "The base of the types that connect to devices. It runs nothing by itself.", Fields: connectionFields},
}
