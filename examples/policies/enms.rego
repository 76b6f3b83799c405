# Policies for plans of eNMS, over what `terraform show -json PLAN` says. `deny` is a set of
# sentences; an empty one lets the plan pass. Copy the file, delete the rules that you do not want,
# and set the numbers and lists in settings.json.
package enms

# What the plan creates, changes or replaces.
written[address] := change if {
	some resource in input.resource_changes
	resource.mode == "managed"
	some action in resource.change.actions
	action in {"create", "update"}
	address := resource.address
	change := object.union(resource.change, {"type": resource.type})
}

# An attribute is set if the plan knows a value. Names of other resources are known before the
# apply; what is not known is what eNMS will fill in.
is_set(change, attribute) if {
	value := change.after[attribute]
	not value in {null, [], ""}
}

# No task without a target: it would run on the targets of its service, which may be none or all.
deny contains message if {
	some address, change in written
	change.type == "enms_task"
	not is_set(change, "devices")
	not is_set(change, "pools")
	message := sprintf("%s has no target: set devices or pools", [address])
}

# No service without rbac_run: only administrators and owners could run it. Steps of workflows are
# run by the workflow.
deny contains message if {
	some address, change in written
	change.type == "enms_service"
	not is_set(change, "workflows")
	not is_set(change, "rbac_run")
	message := sprintf("%s has no rbac_run: name the groups that may run it", [address])
}

# Owners are set: otherwise the user of the apply is the owner.
deny contains message if {
	some address, change in written
	change.type in {"enms_service", "enms_task", "enms_pool", "enms_credential"}
	not is_set(change, "owners")
	message := sprintf("%s has no owners", [address])
}

# No commands of the server's own shell, but those of a list.
deny contains message if {
	some address, change in written
	change.type == "enms_service"
	change.after.type == "unix_command_service"
	not allowed(change)
	message := sprintf("%s runs a command on the eNMS server that is not in unix_commands", [address])
}

allowed(change) if change.after.properties.command in data.settings.unix_commands

# No more deletions than a number, each entry of enms_instances counted.
deleted contains resource.address if {
	some resource in input.resource_changes
	resource.mode == "managed"
	"delete" in resource.change.actions
	resource.type != "enms_instances"
}

deleted contains sprintf("%s[%q]", [resource.address, key]) if {
	some resource in input.resource_changes
	resource.mode == "managed"
	resource.type == "enms_instances"
	some key, _ in resource.change.before.instances
	not kept(resource.change, key)
}

kept(change, key) if change.after.instances[key]

deny contains message if {
	count(deleted) > data.settings.max_deletions
	message := sprintf("%d deletions, and at most %d are allowed", [count(deleted), data.settings.max_deletions])
}
