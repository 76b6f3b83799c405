variable "active" {
  description = "Whether there is a maintenance window: true switches the services and tasks off, false brings back what was on before."
  type        = bool

  validation {
    condition     = var.active != null
    error_message = "Say whether there is a window: active = true or active = false."
  }
}

variable "services" {
  description = "The services and workflows to disable, by their full names. The tasks that run them are switched off, too."
  type        = set(string)
  default     = []

  validation {
    condition     = length(setintersection(var.services, ["[Shared] Start", "[Shared] End", "[Shared] Placeholder"])) == 0
    error_message = "[Shared] Start, [Shared] End and [Shared] Placeholder belong to every workflow: disable the workflows instead."
  }

  validation {
    condition     = alltrue([for name in var.services : trimspace(name) != ""])
    error_message = "The name of a service is empty."
  }
}

variable "tasks" {
  description = "Further tasks to switch off, by their names."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for name in var.tasks : trimspace(name) != ""])
    error_message = "The name of a task is empty."
  }
}
