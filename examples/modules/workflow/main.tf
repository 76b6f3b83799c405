locals {
  # What follows each step, with success and with failure.
  targets = { for name, step in var.steps : name => {
    success = toset(try([for target in step.on_success : target], []))
    failure = toset(try([for target in step.on_failure : target], []))
  } }

  # The steps that no other step leads to.
  first = [for name in keys(var.steps) : name if !anytrue([
    for source, targets in local.targets : contains(setunion(targets.success, targets.failure), name) if source != name
  ])]
  start = var.start != null ? var.start : length(local.first) == 1 ? local.first : []

  # The edges between steps. No name holds a slash, so that no two keys are the same.
  edges = merge(
    { for name in local.start : "Start/success/${name}" => { source = "Start", subtype = "success", destination = name } },
    [for source, targets in local.targets : merge([for subtype, names in targets : {
      for name in names : "${source}/${subtype}/${name}" => { source = source, subtype = subtype, destination = name }
    }]...)]...
  )

  # Problems are told in the names of steps, not of services.
  shared = { Start = "[Shared] Start", End = "[Shared] End" }
  problems = length(local.start) == 0 ? [
    length(local.first) == 0 ?
    "Other steps lead to each step: name those with which the workflow begins in start." :
    "No other step leads to ${join(" or ", local.first)}: name those with which the workflow begins in start, and let others lead to the rest."
    ] : provider::enms::workflow_problems(keys(var.steps), [for edge in local.edges : {
      source      = lookup(local.shared, edge.source, edge.source)
      destination = lookup(local.shared, edge.destination, edge.destination)
  }])
}

resource "enms_service" "workflow" {
  name        = var.name
  type        = "workflow"
  description = var.description
  run_method  = var.run_method

  target_devices = var.target_devices
  target_pools   = var.target_pools

  lifecycle {
    precondition {
      condition     = length(local.problems) == 0
      error_message = join("\n", local.problems)
    }
  }
}

resource "enms_service" "step" {
  for_each = var.steps

  name        = "[${enms_service.workflow.name}] ${each.key}"
  type        = each.value.type
  workflows   = [enms_service.workflow.name]
  description = try(each.value.description, null)
  properties  = try(each.value.properties, null)

  run_method       = try(each.value.run_method, null)
  target_devices   = try(each.value.target_devices, null)
  target_pools     = try(each.value.target_pools, null)
  credential_type  = try(each.value.credential_type, null)
  named_credential = try(each.value.named_credential, null)
  initial_payload  = try(each.value.initial_payload, null)
  multiprocessing  = try(each.value.multiprocessing, null)
  max_processes    = try(each.value.max_processes, null)
  log_level        = try(each.value.log_level, null)

  number_of_retries     = try(each.value.number_of_retries, null)
  time_between_retries  = try(each.value.time_between_retries, null)
  max_number_of_retries = try(each.value.max_number_of_retries, null)
  waiting_time          = try(each.value.waiting_time, null)

  priority     = try(each.value.priority, null)
  maximum_runs = try(each.value.maximum_runs, null)
  skip_value   = try(each.value.skip_value, null)
}

locals {
  services = merge(local.shared, { for name, service in enms_service.step : name => service.name })
}

resource "enms_workflow_edge" "step" {
  for_each = local.edges

  workflow    = enms_service.workflow.name
  source      = local.services[each.value.source]
  destination = local.services[each.value.destination]
  subtype     = each.value.subtype
}

resource "enms_workflow_layout" "workflow" {
  workflow  = enms_service.workflow.name
  positions = provider::enms::workflow_layout(enms_workflow_edge.step)
}
