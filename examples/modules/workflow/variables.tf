variable "name" {
  description = "The name of the workflow."
  type        = string
}

variable "description" {
  description = "What the workflow does."
  type        = string
  default     = null
}

variable "run_method" {
  description = "How the workflow runs its steps: per_device, per_service_with_workflow_targets or per_service_with_service_targets."
  type        = string
  default     = null
}

variable "target_devices" {
  description = "The names of the devices that the workflow runs on, unless its task has others."
  type        = set(string)
  default     = null
}

variable "target_pools" {
  description = "The names of the pools whose devices the workflow runs on, unless its task has others."
  type        = set(string)
  default     = null
}

variable "start" {
  description = "The first steps of the workflow. Defaults to the step that no other step leads to."
  type        = list(string)
  default     = null
}

# The steps may have properties of different types, so that no type of Terraform
# describes them all: the validations do.
variable "steps" {
  description = "The steps, by name. Each has a type and can have properties, on_success and on_failure, which are lists of steps or [\"End\"], and attributes of enms_service: description, run_method, target_devices, target_pools, credential_type, named_credential, initial_payload, multiprocessing, max_processes, log_level, number_of_retries, time_between_retries, max_number_of_retries, waiting_time, priority, maximum_runs and skip_value."
  type        = any

  validation {
    condition     = length(try(keys(var.steps), [])) > 0
    error_message = "The steps must be a map from names to steps, with one step at least."
  }

  validation {
    condition     = length(setintersection(try(keys(var.steps), []), ["Start", "End"])) == 0
    error_message = "Start and End belong to every workflow: no step can have one of these names."
  }

  validation {
    condition     = alltrue([for step in try(values(var.steps), []) : can(regex(".", step.type))])
    error_message = "These steps have no type: ${join(", ", try([for name, step in var.steps : name if !can(regex(".", step.type))], []))}."
  }

  validation {
    condition = alltrue([for step in try(values(var.steps), []) :
      length(setsubtract(try(keys(step), []), [
        "type", "properties", "description", "on_success", "on_failure", "run_method", "target_devices",
        "target_pools", "credential_type", "named_credential", "initial_payload", "multiprocessing", "max_processes", "log_level",
        "number_of_retries", "time_between_retries", "max_number_of_retries", "waiting_time", "priority", "maximum_runs", "skip_value",
      ])) == 0
    ])
    error_message = "A step has type, properties, on_success, on_failure, and the attributes that the README of this module lists. Not known: ${join(", ", try(flatten([
      for name, step in var.steps : [
        for attribute in setsubtract(keys(step), [
          "type", "properties", "description", "on_success", "on_failure", "run_method", "target_devices",
          "target_pools", "credential_type", "named_credential", "initial_payload", "multiprocessing", "max_processes", "log_level",
          "number_of_retries", "time_between_retries", "max_number_of_retries", "waiting_time", "priority", "maximum_runs", "skip_value",
        ]) : "${attribute} of ${name}"
      ]
    ]), []))}."
  }

  validation {
    condition = alltrue(flatten([for step in try(values(var.steps), []) : [
      for targets in [try(step.on_success, null), try(step.on_failure, null)] :
      targets == null || can([for target in targets : regex(".", target)])
    ]]))
    error_message = "on_success and on_failure must be lists of the names of steps, such as [\"End\"]."
  }

  validation {
    condition = alltrue(flatten([for step in try(values(var.steps), []) : [
      for target in concat(try([for t in step.on_success : t], []), try([for t in step.on_failure : t], [])) :
      target == "End" || contains(keys(var.steps), target)
    ]]))
    error_message = "There are no such steps: ${join(", ", try(flatten([for name, step in var.steps : [
      for target in concat(try([for t in step.on_success : t], []), try([for t in step.on_failure : t], [])) :
      "${target}, to which ${name} leads" if target != "End" && !contains(keys(var.steps), target)
    ]]), []))}."
  }
}
