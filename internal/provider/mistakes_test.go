// What users do wrong, and what they are told: the summary, the attribute and the whole
// advice of each. Read it as a list; a new mistake is a new row.

package provider_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// mistake is what somebody does wrong.
type mistake struct {
	what string
	in   moment
	typ  string // the resource; empty for the provider block alone
	// config is the configuration of the resource, or the provider block: with an address
	// of its own, in which HOST stands for a server's.
	config acctest.Attributes
	told   message
}

// moment is the time at which a mistake is found, as early as can be.
type moment string

// The steps, in the order in which Terraform takes them.
const (
	configures moment = "configure" // the provider, which sends nothing
	validates  moment = "validate"  // without a server
	imports    moment = "import"    // the first that asks eNMS
	plans      moment = "plan"
	applies    moment = "apply"
)

// message is what the user is told.
type message struct {
	warning bool
	on      string // the path of the attribute, as a configuration writes it
	summary string
	advice  string
}

// mistakes are the rows.
var mistakes = []mistake{
	{"the address has no scheme", configures, "", acctest.Attributes{"base_url": "enms.example.com"},
		message{on: "base_url", summary: "Invalid base_url", advice: `"enms.example.com" must begin with https:// or http://: write "https://enms.example.com".`}},
	{"the address holds the password", configures, "", acctest.Attributes{"base_url": "https://admin:secret@enms.example.com"},
		message{on: "base_url", summary: "Invalid base_url", advice: "The address must not contain a user or a password: set username and password instead."}},
	{"a duration has no unit", configures, "", acctest.Attributes{"request_timeout": "90"},
		message{on: "request_timeout", summary: "Invalid request_timeout", advice: `"90" is not a duration such as 90s or 2m.`}},
	{"http, to another machine", configures, "", acctest.Attributes{"base_url": "http://enms.example.com"},
		message{warning: true, on: "base_url", summary: "The password is not encrypted", advice: "The address of enms.example.com begins with http://, so anyone on the network can read the password. Use https://, or set accept_plain_http = true (ENMS_ACCEPT_PLAIN_HTTP) if nobody else can read that network."}},
	{"https to a port that speaks http", imports, "", acctest.Attributes{"base_url": "https://HOST", "insecure_skip_verify": false},
		message{summary: `Cannot import device "DALLAS"`, advice: `Cannot reach eNMS at HOST: it speaks plain HTTP, and base_url begins with https://. Write base_url = "http://HOST".`}},
	{"http to a port that speaks https", imports, "", acctest.Attributes{"base_url": "http://HOST"},
		message{summary: `Cannot import device "DALLAS"`, advice: `Cannot reach eNMS at HOST: it speaks HTTPS, and base_url begins with http://: it says "Client sent an HTTP request to an HTTPS server". Write base_url = "https://HOST".`}},
	{"http to a proxy that speaks https", imports, "", acctest.Attributes{"base_url": "http://HOST/proxy"},
		message{summary: `Cannot import device "DALLAS"`, advice: `Cannot reach eNMS at HOST: it speaks HTTPS, and base_url begins with http://: it says "400 The plain HTTP request was sent to HTTPS port". Write base_url = "https://HOST/proxy".`}},
	{"the host has a typo", imports, "", acctest.Attributes{"base_url": "https://enms..example.com"},
		message{summary: `Cannot import device "DALLAS"`, advice: `Cannot reach eNMS at enms..example.com: dial tcp: lookup enms..example.com: no such host. The host "enms..example.com" cannot be resolved. Check its spelling in base_url.`}},
	{"eNMS does not run", imports, "", acctest.Attributes{"base_url": "http://127.0.0.1:1", "max_retries": 0},
		message{summary: `Cannot import device "DALLAS"`, advice: "Cannot reach eNMS at 127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused. Check base_url, that eNMS runs, and that this machine can reach it."}},
	{"the address ends in /rest", imports, "", acctest.Attributes{"base_url": "http://HOST/rest"},
		message{summary: `Cannot import device "DALLAS"`, advice: `GET /rest/instance/device/DALLAS: eNMS answered "Error 404 - Not Found."; base_url has the path "/rest", which is right only if a proxy serves eNMS under it. There is no REST interface of eNMS at this address. Set base_url to the address without /rest, for example https://enms.example.com. The provider needs eNMS 4.2 or newer.`}},
	{"the address is that of a page", imports, "", acctest.Attributes{"base_url": "http://HOST/dashboard"},
		message{summary: `Cannot import device "DALLAS"`, advice: `The base URL points at web pages instead of the REST interface of eNMS (it redirects to /login); base_url has the path "/dashboard", which is right only if a proxy serves eNMS under it. Set base_url to the address of eNMS without /rest, for example https://enms.example.com.`}},
	{"the password is wrong", imports, "", acctest.Attributes{"base_url": "http://HOST/"},
		message{summary: `Cannot import device "DALLAS"`, advice: "eNMS does not accept the user name or the password. Check username and password in the provider block, or ENMS_USERNAME and ENMS_PASSWORD."}},

	{"an address that is none", validates, "enms_device", acctest.Attributes{"name": "R1", "ip_address": "10.0.0.300"},
		message{on: "ip_address", summary: "Invalid address", advice: `"10.0.0.300" is neither an IP address, such as 10.0.0.1 or 2001:db8::1, nor a host name, such as router1.example.com. eNMS would store it, but fail to connect to the device. An IPv4 address is four numbers from 0 to 255, without leading zeros, with dots between them.`}},
	{"a port that is none", validates, "enms_device", acctest.Attributes{"name": "R1", "port": 70000},
		message{on: "port", summary: "Invalid Attribute Value", advice: "Attribute port value must be between 0 and 65535, got: 70000"}},
	{"a name with a slash", validates, "enms_device", acctest.Attributes{"name": "Dallas/R1"},
		message{on: "name", summary: "Invalid name", advice: `"Dallas/R1" contains a slash, a backslash or a quote, which eNMS does not allow in names.`}},
	{"a type of device that is none", validates, "enms_device", acctest.Attributes{"name": "R1", "type": "switch"},
		message{on: "type", summary: "Invalid Attribute Value Match", advice: `Attribute type value must be one of: ["device" "gateway" "router"], got: "switch"`}},
	{"a type of device by its name on eNMS 5", validates, "enms_device", acctest.Attributes{"name": "R1", "type": "generic_device"},
		message{on: "type", summary: "Invalid type", advice: `The type "generic_device" of eNMS 5 is called "device" here, with every version of eNMS. Write type = "device".`}},
	{"entries of a type by its name on eNMS 5", validates, acctest.TypeInstances, acctest.Attributes{"type": "generic_link", "instances": acctest.ObjectValue(map[string]any{})},
		message{on: "type", summary: "Invalid type", advice: `The type "generic_link" of eNMS 5 is called "link" here, with every version of eNMS. Write type = "link".`}},
	{"a text that is too long", validates, "enms_device", acctest.Attributes{"name": "R1", "icon": strings.Repeat("x", 70)},
		message{on: "icon", summary: "icon is too long", advice: "It has 70 characters; the maximum is 64 on PostgreSQL and MariaDB. Shorten it by 6."}},
	{"JSON text in place of an object", validates, "enms_device", acctest.Attributes{"name": "R1", "properties": tftypes.NewValue(tftypes.String, `{"a": 1}`)},
		message{on: "properties", summary: "Not an object", advice: "Expected an object, got a string. Write { key = value }, or use jsondecode(...) for a JSON string."}},
	{"an attribute in properties", validates, "enms_device", acctest.Attributes{"name": "R1", "properties": acctest.ObjectValue(map[string]any{"vendor": "Cisco"})},
		message{on: `properties["vendor"]`, summary: "vendor does not belong in properties", advice: "It has its own attribute: remove it from properties, and write vendor instead."}},
	{"a field with a typo", plans, "enms_device", acctest.Attributes{"name": "R1", "properties": acctest.ObjectValue(map[string]any{"vendr": "Cisco"})},
		message{warning: true, on: `properties["vendr"]`, summary: "Unknown field vendr of device", advice: "eNMS ignores unknown fields. Did you mean `vendor`? If it is a custom property of your eNMS, ignore this warning."}},
	{"a negative timeout", validates, "enms_service", acctest.Attributes{"name": "S", "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{"driver": "device", "conn_timeout": -1.5})},
		message{on: `properties["conn_timeout"]`, summary: "Invalid value for properties.conn_timeout", advice: "It is -1.5; the minimum is 0."}},
	{"a driver with a typo", plans, "enms_device", acctest.Attributes{"name": "R1", "netmiko_driver": "cisco_iosxe"},
		message{warning: true, on: "netmiko_driver", summary: "Unknown value for netmiko_driver", advice: `eNMS stores any string, but "cisco_iosxe" is not among the usual values of netmiko_driver. Did you mean "cisco_ios"? If your eNMS has "cisco_iosxe", ignore this warning.`}},
	{"a menu entry with a typo", plans, "enms_group", acctest.Attributes{"name": "G", "menu": []string{"Automation", "inventory"}},
		message{warning: true, on: "menu", summary: "Unknown value for menu", advice: `eNMS stores any string, but "inventory" is not among the usual values of menu. Did you mean "Inventory"? If your eNMS has "inventory", ignore this warning.`}},
	{"a right with a typo", plans, "enms_group", acctest.Attributes{"name": "G", "service_access": []string{"rbac_runs"}},
		message{warning: true, on: "service_access", summary: "Unknown value for service_access", advice: `"rbac_runs" is not among the values that eNMS knows: rbac_read, rbac_edit, rbac_run. eNMS stores any string, but its own code uses only these. Did you mean "rbac_run"? If code of your own uses "rbac_runs", ignore this warning.`}},
	{"a right without its prefix", plans, "enms_group", acctest.Attributes{"name": "G", "device_access": []string{"read"}},
		message{warning: true, on: "device_access", summary: "Unknown value for device_access", advice: `"read" is not among the values that eNMS knows: rbac_read, rbac_edit, rbac_configuration, rbac_connect, rbac_target. eNMS stores any string, but its own code uses only these. Did you mean "rbac_read"? If code of your own uses "read", ignore this warning.`}},
	{"a page among the menus", plans, "enms_group", acctest.Attributes{"name": "G", "menu": []string{"Devices"}},
		message{warning: true, on: "menu", summary: "Unknown value for menu", advice: `eNMS stores any string, but "Devices" is not among the usual values of menu. It is one of pages: write it there. If your eNMS has "Devices", ignore this warning.`}},
	{"a group of nobody", plans, "enms_group", acctest.Attributes{"name": "G", "users": []string{"admni"}},
		message{warning: true, on: "users", summary: "There is no such user", advice: `eNMS has no user that this user may read, and this plan creates none before this group: "admni" (did you mean "admin"?). Unless it exists by then, the group is created without it. Create it first, or refer to the resource that does, so that Terraform knows the order.`}},
	{"a decimal comma", plans, "enms_device", acctest.Attributes{"name": "R1", "latitude": "48,1"},
		message{warning: true, on: "latitude", summary: "Unusual value for latitude", advice: `eNMS stores any string, but its maps cannot show "48,1", which is not a number. Write "48.1".`}},
	{"latitude and longitude exchanged", plans, "enms_network", acctest.Attributes{"name": "N", "latitude": "-96.80", "longitude": "32.78"},
		message{warning: true, on: "latitude", summary: "Unusual value for latitude", advice: `"-96.80" is not between -90 and 90 degrees. Were latitude and longitude exchanged?`}},
	{"a blank at the end of a name", plans, "enms_device", acctest.Attributes{"name": "R1 "},
		message{warning: true, on: "name", summary: "Unusual value for name", advice: `"R1 " begins or ends with a blank, which nobody sees, and "R1" would be another instance. Write "R1".`}},
	{"a user without a password", plans, "enms_user", acctest.Attributes{"name": "ann"},
		message{warning: true, on: "password_wo", summary: "password_wo is not set", advice: `The user cannot log in until somebody sets a password in eNMS. Write password_wo = ... and password_wo_version = 1, or authentication = "ldap" or "tacacs".`}},
	{"a service without a driver", plans, "enms_service", acctest.Attributes{"name": "S", "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{"commands": "show version"})},
		message{warning: true, on: "properties", summary: "driver is not set", advice: `Without a driver, every run fails. Write driver = "device" in properties, for the Netmiko driver of each device, or the name of a driver.`}},
	{"a snippet without code", plans, "enms_service", acctest.Attributes{"name": "S", "type": "python_snippet_service"},
		message{warning: true, on: "properties", summary: "source_code is not set", advice: `Without code, every run fails. Write source_code in properties: Python code that sets results, such as results = { "success": True }.`}},
	{"entries without code", plans, acctest.TypeInstances, acctest.Attributes{"type": "python_snippet_service", "instances": acctest.ObjectValue(map[string]any{"S": map[string]any{}})},
		message{warning: true, on: `instances["S"]`, summary: `source_code is not set in instances["S"]`, advice: `instances["S"]: Without code, every run fails. Write source_code in properties: Python code that sets results, such as results = { "success": True }.`}},
	{"a schedule that is not active", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "devices": []string{"DALLAS"}, "scheduling_mode": "cron", "crontab_expression": "0 2 * * *"},
		message{warning: true, on: "is_active", summary: "is_active is not set", advice: "A new task is not active, so eNMS does not run it on its schedule. Write is_active = true; or is_active = false, if that is meant."}},
	{"a task without a target", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Backup"},
		message{warning: true, on: "service", summary: "The task has no target", advice: `Neither the task nor its service "Backup" has devices to run on, so every run fails. Write devices or pools on the task, or target_devices or target_pools on the service; or, if it needs no devices, another run_method than "per_device" there.`}},
	{"a layout of no workflow", plans, "enms_workflow_layout", acctest.Attributes{"workflow": "Nightli", "positions": acctest.Positions(map[string][2]float64{"[Shared] Start": {1, 2}})},
		message{warning: true, on: "workflow", summary: "There is no such workflow", advice: `eNMS has no workflow that this user may read, and this plan creates none before this layout: "Nightli" (did you mean "Nightly"?). The apply will fail unless it exists by then. Create it first, or refer to the resource that does, so that Terraform knows the order.`}},
	{"a password that would be stored", validates, "enms_credential", acctest.Attributes{"name": "C", "password": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)},
		message{on: "password", summary: "password is a secret", advice: "It would be stored in the state. Write password_wo = ... and password_wo_version = 1 in its place, which needs Terraform or OpenTofu 1.11."}},
	{"a field of another type", validates, "enms_service", acctest.Attributes{"name": "S", "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{"commands": []string{"show version"}})},
		message{on: `properties["commands"]`, summary: "Invalid value for properties.commands", advice: "Expected a string, got a list."}},
	{"a text for true or false", validates, "enms_service", acctest.Attributes{"name": "S", "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{"enable_mode": "yes"})},
		message{on: `properties["enable_mode"]`, summary: "Invalid value for properties.enable_mode", advice: `Expected true or false, got the string "yes". eNMS would treat everything except false and 0 as true.`}},

	{"a timestamp for a date", validates, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "start_date": "2026-12-01T02:00:00Z"},
		message{on: "start_date", summary: "Invalid date", advice: `"2026-12-01T02:00:00Z" is a timestamp with a time zone; eNMS uses DD/MM/YYYY HH:MM:SS in the time zone of the server. If that is UTC, write start_date = "01/12/2026 02:00:00"; otherwise start_date = provider::enms::start_date("2026-12-01T02:00:00Z", "Europe/Paris"), with the zone of the server. eNMS would store anything else and never run the task.`}},
	{"the end before the start", validates, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "start_date": "02/01/2090 00:00:00", "end_date": "01/01/2090 00:00:00"},
		message{on: "end_date", summary: "The task ends before it starts", advice: `Date "01/01/2090 00:00:00": the end is before the start "02/01/2090 00:00:00", so the task would never run.`}},
	{"a step of days of the week", validates, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "scheduling_mode": "cron", "crontab_expression": "0 2 * * */2"},
		message{on: "crontab_expression", summary: "Invalid crontab expression", advice: `Day of week "*/2": eNMS takes here only * or single digits from 0 to 7 (0 and 7 are Sunday), separated by commas; write "0 2 * * 0,2,4,6". eNMS would store the expression and never run the task.`}},
	{"cron without an expression", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "scheduling_mode": "cron"},
		message{on: "crontab_expression", summary: "Missing crontab_expression", advice: `scheduling_mode is "cron". Write an expression, for example crontab_expression = "0 2 * * *" for every day at 02:00, or scheduling_mode = "standard".`}},
	{"an expression without cron", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "crontab_expression": "0 2 * * *"},
		message{on: "crontab_expression", summary: "crontab_expression is ignored", advice: `It is ignored unless scheduling_mode is "cron". Write scheduling_mode = "cron", or remove the expression.`}},
	{"an active task without a date", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "is_active": true},
		message{on: "is_active", summary: "The task would run immediately", advice: "An active task with neither start_date nor frequency is run by eNMS as soon as it is written. Give it a start_date or a frequency, or write is_active = false."}},
	{"a date in the past", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Backup", "devices": []string{"DALLAS"}, "is_active": true, "start_date": "01/01/2020 00:00:00"},
		message{warning: true, on: "start_date", summary: "The start date is in the past", advice: "It is 01/01/2020 00:00:00. eNMS does not run a task whose only date has passed, and deactivates it."}},
	{"what a task refers to is missing", plans, "enms_task", acctest.Attributes{"name": "T", "service": "Bakcup", "devices": []string{"DALLAS"}, "pools": []string{"Datacenter"}},
		message{warning: true, on: "service", summary: "There is no such service", advice: `eNMS has no service that this user may read, and this plan creates none before this task: "Bakcup" (did you mean "Backup"?). The apply will fail unless it exists by then. Create it first, or refer to the resource that does, so that Terraform knows the order.`}},

	{"an entry that refers to what is missing", plans, "enms_instances", acctest.Attributes{"type": "link", "instances": acctest.ObjectValue(map[string]any{"L": map[string]any{"source": "DALLAS", "destination": "DALAS"}})},
		message{warning: true, on: `instances["L"]["destination"]`, summary: `There is no such device in instances["L"].destination`, advice: `instances["L"].destination: eNMS has no device that this user may read, and this plan creates none before this link: "DALAS" (did you mean "DALLAS"?). The apply will fail unless it exists by then. Create it first, or refer to the resource that does, so that Terraform knows the order.`}},
	{"a name that is taken", plans, "enms_device", acctest.Attributes{"name": "DALLAS"},
		message{warning: true, on: "name", summary: "The name of a new device is taken", advice: "eNMS already has a device named \"DALLAS\" (id 1). Creating the device will fail, unless this apply frees the name first. If another resource of the same configuration has it, keep one of the two, or give one of them another name. To manage it, set adopt_existing = true, or add this block to the root module, with the address of this resource:\n\nimport {\n  to = enms_device.dallas\n  id = \"DALLAS\"\n}"}},
	{"a link without an end", plans, "enms_link", acctest.Attributes{"name": "L", "source": "DALLAS"},
		message{on: "destination", summary: "A link needs a destination", advice: "It is not in the configuration: add destination."}},
	{"a secret in the properties of a credential", validates, "enms_credential", acctest.Attributes{"name": "C", "properties": acctest.ObjectValue(map[string]any{"password": "x"})},
		message{on: `properties["password"]`, summary: "password does not belong in properties", advice: `It is a secret with a write-only attribute, which is not stored. Remove it from properties, and write password_wo = "..." and password_wo_version = 1.`}},
	{"a secret in the properties of a service", plans, "enms_service", acctest.Attributes{"name": "S", "type": "rest_call_service", "properties": acctest.ObjectValue(map[string]any{"call_type": "GET", "rest_url": "http://x", "custom_password": "x"})},
		message{warning: true, on: `properties["custom_password"]`, summary: "The secret custom_password is stored in the state", advice: "Values in properties are stored in the state and in plans. With Terraform 1.11 or newer, write it in properties_wo with properties_wo_version instead; it is then not stored."}},
	{"a password of a device", plans, "enms_device", acctest.Attributes{"name": "R1", "properties": acctest.ObjectValue(map[string]any{"enable_password": "x"})},
		message{warning: true, on: `properties["enable_password"]`, summary: "enable_password looks like a secret, and is stored in the state", advice: "States and plans hold it in plain text. A login to devices belongs in a resource enms_credential, whose passwords are write-only, and another secret in properties_wo of a resource enms_device, which is write-only, too."}},
	{"a password in a column", plans, "enms_instances", acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{"R1": map[string]any{"password": "x"}})},
		message{warning: true, on: `instances["R1"]["password"]`, summary: `password looks like a secret, and is stored in the state in instances["R1"].password`, advice: `instances["R1"].password: States and plans hold it in plain text. A login to devices belongs in a resource enms_credential, whose passwords are write-only, and another secret in properties_wo of a resource enms_device, which is write-only, too.`}},
	{"a token in a header", plans, "enms_service", acctest.Attributes{"name": "S", "type": "rest_call_service", "properties": acctest.ObjectValue(map[string]any{"call_type": "GET", "rest_url": "https://example.com", "headers": map[string]any{"X-Auth-Token": "x"}})},
		message{warning: true, on: `properties["headers"]`, summary: "headers.X-Auth-Token looks like a secret, and is stored in the state", advice: "States and plans hold it in plain text. A login to devices belongs in a resource enms_credential, whose passwords are write-only, and another secret in properties_wo of a resource enms_service, which is write-only, too."}},
	{"a field without a name", validates, "enms_device", acctest.Attributes{"name": "R1", "properties": acctest.ObjectValue(map[string]any{"": "x"})},
		message{on: `properties[""]`, summary: "A field has no name", advice: "A field of properties has an empty name. Give it a name, or remove it."}},
	{"a secret without a version", plans, "enms_credential", acctest.Attributes{"name": "C", "password_wo": "x"},
		message{on: "password_wo", summary: "password_wo needs a version", advice: "The secret is sent when its version changes. Add password_wo_version = 1."}},
	{"a version without a secret", plans, "enms_credential", acctest.Attributes{"name": "C", "password_wo_version": 1},
		message{on: "password_wo_version", summary: "password_wo_version without a secret", advice: "password_wo_version = 1 would be stored as sent, but password_wo is null. A secret that is added later with the same version would never be sent. Set the secret, or remove password_wo_version. (terraform destroy -refresh=false needs no secrets.)"}},
	{"a shared service without its prefix", plans, "enms_service", acctest.Attributes{"name": "S", "shared": true},
		message{on: "name", summary: "The name of a shared service must begin with [Shared]", advice: `eNMS would name the service "[Shared] S". Use this name, or write shared = false.`}},
	{"a service without its workflow's name", plans, "enms_service", acctest.Attributes{"name": "S", "workflows": []string{"Nightly"}},
		message{on: "name", summary: "The name of a service must begin with the name of its workflow", advice: `eNMS would name the service "[Nightly] S". Use this name, or write workflows = [] if it is in no workflow.`}},
	{"a type of service with a typo", plans, "enms_service", acctest.Attributes{"name": "s", "type": "netmiko_comands_service"},
		message{on: "type", summary: `Unknown type "netmiko_comands_service"`, advice: `This eNMS has no type "netmiko_comands_service". Did you mean "netmiko_commands_service"?`}},
	{"entries of a type with a typo", plans, acctest.TypeInstances, acctest.Attributes{"type": "gatway", "instances": acctest.ObjectValue(map[string]any{"R1": map[string]any{}})},
		message{on: "type", summary: `Unknown type "gatway"`, advice: `This eNMS has no type "gatway". Did you mean "gateway"?`}},
	{"an edge to a service outside its workflow", plans, "enms_workflow_edge", acctest.Attributes{"workflow": "w", "source": "[Shared] Start", "destination": "backup", "subtype": "success"},
		message{on: "destination", summary: "A service is not in the workflow", advice: `"backup" is not a service of the workflow "w". eNMS would run it, but the Workflow Builder shows neither the edge nor the service, and the workflow cannot be copied. The names of its services begin with "[w] ". Write workflows = ["w"] on the service, which is called "[w] backup" then, or choose a service of the workflow.`}},
	{"a negative number of deletions", validates, acctest.TypeInstances, acctest.Attributes{"type": "device", "max_deletions": -1, "instances": acctest.ObjectValue(map[string]any{})},
		message{on: "max_deletions", summary: "Invalid max_deletions", advice: "-1 is not a number of entries. Write a whole number of at least 0, or remove the attribute."}},
	{"a built-in service", plans, "enms_service", acctest.Attributes{"name": "[Shared] Start", "shared": true},
		message{on: "name", summary: `"[Shared] Start" is built in`, advice: "All workflows use this service, so it cannot be managed. Refer to it by its name."}},
	{"a pool by hand and by criteria", validates, "enms_pool", acctest.Attributes{"name": "P", "devices": []string{"DALLAS"}, "device_criteria": acctest.Criteria(map[string]acctest.Attributes{"vendor": {"value": "Cisco"}})},
		message{on: "device_criteria", summary: "Members conflict with criteria", advice: "With devices, the members are defined by hand, and eNMS ignores criteria. Remove one of the two."}},
	{"a type that must not be managed", validates, "enms_instance", acctest.Attributes{"type": "server", "name": "S"},
		message{on: "type", summary: "Instances of type server cannot be managed", advice: "When any server is written, the eNMS that handles the request adopts its settings."}},

	{"an entry with another name", validates, "enms_instances", acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{"R1": map[string]any{"name": "R2"}})},
		message{on: `instances["R1"]`, summary: `Invalid value for "name"`, advice: `instances["R1"]: The entry sets name = "R2", but its key is its name. Remove the attribute, or write "R1".`}},
	{"an entry with a column without a name", validates, "enms_instances", acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{"R1": map[string]any{"": "x"}})},
		message{on: `instances["R1"]`, summary: "A field has no name", advice: `instances["R1"]: A field of the entry has an empty name, such as a column of a CSV file whose first line ends with a comma. Give it a name, or remove it.`}},
	{"an entry with a secret", validates, "enms_instances", acctest.Attributes{"type": "credential", "instances": acctest.ObjectValue(map[string]any{"C": map[string]any{"password": "x"}})},
		message{on: `instances["C"]["password"]`, summary: "password is a secret", advice: `instances["C"].password: Entries are stored in the state and in plans. Use the resource enms_credential for this credential: password is write-only there.`}},
	{"a list in place of entries", validates, "enms_instances", acctest.Attributes{"type": "device", "instances": acctest.Literal([]any{"R1"})},
		message{on: "instances", summary: "Not a map of objects", advice: "Write { NAME = { property = value } }, with the properties of each instance by its name."}},
	{"entries of a type in capitals", validates, "enms_instances", acctest.Attributes{"type": "Device", "instances": acctest.ObjectValue(map[string]any{})},
		message{on: "type", summary: "Invalid type", advice: `"Device" is not a type. Types are in lower case, as in the path /rest/instance/<type>.`}},
}

func TestMistakes_diagnosticsOfEach(t *testing.T) {
	acctest.NoEnvironment(t)
	for _, m := range mistakes {
		t.Run(m.what, func(t *testing.T) {
			in, diags := m.make(t)
			if in != m.in {
				t.Errorf("it is found by %s, not by %s", in, m.in)
			}
			var all []message
			for _, d := range diags {
				all = append(all, messageOf(d))
			}
			if len(all) != 1 || all[0] != m.told {
				t.Errorf("want %#v\ngot  %#v", m.told, all)
			}
		})
	}
}

// An id of eNMS is not a name, neither in a reference nor in an import; the message says whose id it
// is. A wrong id of an import shows the right form.
func TestMistakes_idInPlaceOfName(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	s.Put("device", enms.Object{"name": "NAME-d"})()
	s.Put("service", enms.Object{"name": "NAME-s", "scoped_name": s.Expand("NAME-s")})()
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": s.Expand("NAME-w")})()
	id, service := fmt.Sprint(s.Get("device", "NAME-d")["id"]), fmt.Sprint(s.Get("workflow", "NAME-w")["id"])
	_, diags := c.Apply("enms_task", acctest.Attributes{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-s"), "devices": []string{id}}, c.NoState("enms_task"))
	if want := s.Expand(`device "` + id + `" (` + id + ` is the id of "NAME-d"; write the name, or .name in place of .id)`); !strings.Contains(diags.String(), want) {
		t.Errorf("a reference: %s", diags)
	}
	for _, test := range []struct{ resource, id, want string }{
		{"enms_device", id, id + ` is the id of "NAME-d"`},
		{"enms_device", "987654", `Import by the full name, as eNMS shows it, not by an id.`},
		{"enms_device", "NAME-f", `did you mean "NAME-d"?`},
		{"enms_service", "NAME-x", `Import by the full name, as eNMS shows it, such as "[Upgrade] Backup".`},
		{"enms_workflow_edge", "NAME-a -> NAME-b", `such as "Upgrade: [Shared] Start -> [Upgrade] Backup (success)".`},
		{"enms_workflow_layout", service, `There is no workflow "` + service + `" that this user can read (` + service + ` is the id of "NAME-w"; write the name, or .name in place of .id). Import by the full name of the workflow, as eNMS shows it.`},
		{"enms_instances", "device/" + id, id + ` is the id of "NAME-d"`},
		{"enms_instances", "NAME-d,NAME-e", `Import by the type and the names, as in "device/R1,R2".`},
	} {
		if _, diags := c.ImportByName(test.resource, s.Expand(test.id)); !diags.Failed() || !strings.Contains(diags.String(), s.Expand(test.want)) {
			t.Errorf("%s by %s: %s", test.resource, test.id, diags)
		}
	}
}

// make makes the mistake, and returns the moment that has found it and what that says.
func (m mistake) make(t *testing.T) (moment, acctest.Problems) {
	if m.typ == "" {
		return m.configure(t)
	}
	if diags := validator(t).Validate(m.typ, m.config); len(diags) > 0 {
		return validates, diags
	}
	s := acctest.NewServer(t)
	s.OnlySimulated("it has what the rows refer to")
	for typ, names := range map[string][]string{"device": {"DALLAS"}, "python_snippet_service": {"Backup"}, "pool": {"Datacenter"}, "workflow": {"Nightly"}} {
		for _, name := range names {
			s.Put(typ, enms.Object{"name": name, "scoped_name": name})()
		}
	}
	c := s.Core(nil)
	if _, diags := c.Plan(m.typ, m.config, c.NoState(m.typ)); len(diags) > 0 {
		return plans, diags
	}
	_, diags := c.Apply(m.typ, m.config, c.NoState(m.typ))
	return applies, diags
}

// configure makes a mistake in the provider block.
func (m mistake) configure(t *testing.T) (moment, acctest.Problems) {
	block, host := acctest.NeededSettings(m.config), ""
	if address, is := m.config["base_url"].(string); is {
		kind, rest, _ := strings.Cut(address, "HOST")
		if server := servers[kind+rest]; server != nil {
			host = strings.TrimPrefix(strings.TrimPrefix(server(t), "http://"), "https://")
			block["base_url"] = strings.Replace(address, "HOST", host, 1)
		}
	}
	c, diags := acctest.TryCore(t, provider.New("test"), block)
	in := configures
	if len(diags) == 0 {
		in = imports
		_, diags = c.ImportByName("enms_device", "DALLAS")
	}
	for _, d := range diags {
		if host != "" {
			d.Detail = strings.ReplaceAll(d.Detail, host, "HOST")
		}
		d.Detail = resolvers.ReplaceAllString(d.Detail, "$1:")
	}
	return in, diags
}

// resolvers finds the name server that an error names.
var resolvers = regexp.MustCompile(`(lookup \S+) on \S+:`)

// servers are those at HOST, by the address.
var servers = map[string]func(*testing.T) string{
	"http://":           func(t *testing.T) string { return newAuthority(t).serve(t, nil, &tls.Config{}) },
	"http:///proxy":     proxyForHTTPS,
	"http:///":          func(t *testing.T) string { return acctest.NewServer(t).URL },
	"http:///dashboard": func(t *testing.T) string { return acctest.NewServer(t).URL },
	"http:///rest":      func(t *testing.T) string { return acctest.NewServer(t).URL },
	"https://":          func(t *testing.T) string { return acctest.NewServer(t).URL },
}

// proxyForHTTPS answers like nginx at a port for HTTPS.
func proxyForHTTPS(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte("<html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>\r\n<body></body></html>"))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// messageOf returns what a diagnostic tells.
func messageOf(d *tfprotov6.Diagnostic) message {
	return message{d.Severity == tfprotov6.DiagnosticSeverityWarning, acctest.WrittenPath(d.Attribute), d.Summary, d.Detail}
}
