variable "active" {
  description = "Whether the maintenance window is open: true disables the services and tasks, false restores them."
  type        = bool

  validation {
    condition     = var.active != null
    error_message = "Say whether there is a window: active = true or active = false."
  }
}

variable "services" {
  description = "The full names of the services and workflows to disable. The tasks that run them are deactivated, too."
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
  description = "The names of additional tasks to deactivate."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for name in var.tasks : trimspace(name) != ""])
    error_message = "The name of a task is empty."
  }
}
