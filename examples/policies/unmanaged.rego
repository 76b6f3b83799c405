# A policy for what `terraform query -json` finds: no service that nobody manages. The input has
# the lines of that command, and of `terraform show -json` the states of all configurations that
# manage this server, as `documents`.
package enms_query

# A service is managed if a state has it as a resource of its own.
managed contains resource.values.name if {
	some document in input.documents
	walk(document.values.root_module, [_, module])
	some resource in module.resources
	resource.mode == "managed"
	resource.type == "enms_service"
}

# Or as an entry of enms_instances. A service may have the name of an instance of another type, so
# that the type counts.
managed contains name if {
	some document in input.documents
	walk(document.values.root_module, [_, module])
	some resource in module.resources
	resource.mode == "managed"
	resource.type == "enms_instances"
	service_type(resource.values.type)
	some name, _ in resource.values.instances
}

service_type(type) if type in {"service", "workflow"}

service_type(type) if endswith(type, "_service")

deny contains message if {
	some line in input.documents
	line.type == "list_resource_found"
	found := line.list_resource_found
	found.resource_type == "enms_service"
	name := found.identity.name
	not name in managed
	not name in data.settings.unmanaged_services
	message := sprintf("service %q is in no state", [name])
}

# A query that fails, or that looks for something else, finds nothing to refuse.
deny contains "the input has no query of services that succeeded" if not complete

complete if {
	some line in input.documents
	line.list_complete.resource_type == "enms_service"
	not failed
}

failed if {
	some line in input.documents
	line["@level"] == "error"
}
