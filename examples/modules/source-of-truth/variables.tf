variable "system" {
  description = "The name of the other system, for messages."
  type        = string
}

variable "devices" {
  description = "The devices of the other system. A device without a name or an address is left out. The address may have a prefix length. The id of the site is needed only if several sites may have the same name."
  type = list(object({
    id       = string
    name     = optional(string)
    address  = optional(string)
    site     = string
    site_id  = optional(string)
    role     = optional(string, "")
    platform = optional(string)
    vendor   = optional(string)
    model    = optional(string)
  }))

  validation {
    condition     = alltrue([for d in var.devices : d.id != null && d.site != null])
    error_message = "Each device needs an id and a site."
  }

  validation {
    condition     = alltrue([for id, all in { for d in var.devices : coalesce(d.id, "none") => d... } : length(toset(all)) == 1])
    error_message = "A device has different values in several responses: it was changed while they were read. Read them again."
  }
}

variable "cables" {
  description = "The cables of the other system, with the ids of the two devices at their ends. A cable without a device at one end makes no link."
  type = list(object({
    id   = string
    ends = list(string)
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for c in var.cables : length(c.ends) == 2])
    error_message = "Each cable needs two ends, each the id of a device or null."
  }
}

variable "renames" {
  description = "New names by old names, for renamed devices: { OLD = \"NEW\" }."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "platforms" {
  description = "The properties of devices in eNMS by the platforms of the other system, such as their drivers."
  type        = map(map(string))
  default     = {}
  nullable    = false
}

variable "max_deletions" {
  description = "How many devices one apply may delete. More are an error of the plan."
  type        = number
  default     = 10
  nullable    = false
}

variable "backup_service" {
  description = "The service in eNMS that saves the configurations of a site every night. By default, no tasks are made."
  type        = string
  default     = null
}

variable "backup_crontab" {
  description = "When the service runs, as a crontab expression of eNMS."
  type        = string
  default     = "0 2 * * *"
  nullable    = false
}
