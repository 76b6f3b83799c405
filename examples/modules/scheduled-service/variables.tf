variable "name" {
  description = "The name of the service."
  type        = string
}

variable "task" {
  description = "The name of the task. Defaults to the name of the service."
  type        = string
  default     = null
}

variable "type" {
  description = "The type of the service, such as netmiko_commands_service or workflow."
  type        = string
}

variable "properties" {
  description = "The fields of that type of service."
  type        = any
  default     = {}
}

variable "description" {
  description = "What the service does."
  type        = string
  default     = null
}

variable "run_method" {
  description = "How the service runs on its targets, such as per_device or once."
  type        = string
  default     = null
}

variable "devices" {
  description = "The names of the devices that the service runs on."
  type        = set(string)
  default     = []
}

variable "pools" {
  description = "The names of the pools whose devices the service runs on."
  type        = set(string)
  default     = []
}

variable "schedule" {
  description = "When the task runs: { cron = \"0 2 * * mon-fri\" }, an expression of ordinary cron, or { start = \"2035-06-01T22:00:00+02:00\" }, once, at a timestamp."
  type = object({
    cron  = optional(string)
    start = optional(string)
  })

  validation {
    condition     = (var.schedule.cron == null) != (var.schedule.start == null)
    error_message = "The schedule holds either cron, such as { cron = \"0 2 * * mon-fri\" }, or start, such as { start = \"2035-06-01T22:00:00+02:00\" }."
  }

  validation {
    condition     = var.schedule.start == null || can(timeadd(var.schedule.start, "0s"))
    error_message = "The start is no timestamp: write it as in RFC 3339, with its offset, such as 2035-06-01T22:00:00+02:00 or 2035-06-01T20:00:00Z."
  }
}

variable "zone" {
  description = "The IANA time zone of the eNMS server, such as Europe/Berlin or UTC. eNMS schedules in its own time zone."
  type        = string
}

variable "active" {
  description = "Whether the task is scheduled."
  type        = bool
  default     = true
  nullable    = false
}

variable "runs" {
  description = "How many of the next runs to list."
  type        = number
  default     = 3
  nullable    = false

  validation {
    condition     = var.runs >= 1 && var.runs <= 1000 && floor(var.runs) == var.runs
    error_message = "Between 1 and 1000 runs can be listed."
  }
}

variable "after" {
  description = "The timestamp after which to list the next runs. Defaults to the time of the plan."
  type        = string
  default     = null

  validation {
    condition     = var.after == null || can(timeadd(var.after, "0s"))
    error_message = "Not a timestamp: write it as in RFC 3339, such as 2035-06-01T20:00:00Z."
  }
}

variable "deletion_policy" {
  description = "What destroying does with the service and the task: delete, cascade, abandon or disable. Defaults to the setting of the provider."
  type        = string
  default     = null
}
