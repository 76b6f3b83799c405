variable "devices" {
  description = "The devices by their names in eNMS, each with the variables of its templates."
  type        = any

  validation {
    condition     = can(keys(var.devices)) && alltrue([for variables in try(values(var.devices), []) : can(keys(variables))])
    error_message = "Write a map of devices, each with an object of variables: { R1 = { loopback = \"10.0.0.1\" }, R2 = {} }."
  }
}

variable "features" {
  description = "The features: the template of each, the regular expressions of the lines that belong to it, those of lines not to compare, and its devices (by default all)."
  type = map(object({
    template = string
    lines    = list(string)
    ignore   = optional(list(string), [])
    devices  = optional(set(string))
  }))

  validation {
    condition     = alltrue([for feature in var.features : length(feature.lines) > 0 && !contains(feature.lines, "")])
    error_message = "Each feature needs lines, such as [\"^ntp \"]: regular expressions of the lines that belong to it. Write [\".*\"] for all lines."
  }

  validation {
    condition     = alltrue(flatten([for feature in var.features : [for expression in concat(feature.lines, feature.ignore) : can(regexall(expression, ""))]]))
    error_message = "Not a regular expression: ${join(", ", flatten([for name, feature in var.features : [for expression in concat(feature.lines, feature.ignore) : "${expression} (${name})" if !can(regexall(expression, ""))]]))}."
  }
}

variable "exceptions" {
  description = "What may differ: of which device and feature, who answers for it, the last day on which that holds (YYYY-MM-DD, in UTC), and why."
  type = list(object({
    device  = string
    feature = string
    owner   = string
    until   = string
    reason  = optional(string, "")
  }))
  default  = []
  nullable = false

  validation {
    condition     = alltrue([for e in var.exceptions : can(regex("^\\d{4}-\\d{2}-\\d{2}$", e.until)) && can(timeadd("${e.until}T00:00:00Z", "0s"))])
    error_message = "Not a date, such as 2027-01-31: ${join(", ", [for e in var.exceptions : "${e.until} (${e.device}, ${e.feature})" if !can(regex("^\\d{4}-\\d{2}-\\d{2}$", e.until)) || !can(timeadd("${e.until}T00:00:00Z", "0s"))])}."
  }

  validation {
    condition     = alltrue([for e in var.exceptions : trimspace(e.owner) != ""])
    error_message = "Each exception needs an owner."
  }

  validation {
    condition     = length(var.exceptions) == length(toset([for e in var.exceptions : "${e.device}/${e.feature}"]))
    error_message = "A device has two exceptions for the same feature."
  }
}

variable "secrets" {
  description = "Regular expressions of lines that may contain secrets. They are not read, with all that belongs to them, and not compared."
  type        = list(string)
  default = [
    "(?i)pass(word|phrase|wd)|secret|credential|token|certificate",
    "(?i)\\bkey|key\\b|\\bpsk\\b|\\bmd5\\b|\\bsha(-?[0-9]+)?\\b",
    "(?i)^snmp-server (community|host|user) |^(set )?snmp community |^snmp \\{",
    "\\$[0-9A-Za-z]+\\$",
  ]
  nullable = false

  validation {
    condition     = alltrue([for expression in var.secrets : can(regexall(expression, ""))])
    error_message = "Not a regular expression: ${join(", ", [for expression in var.secrets : expression if !can(regexall(expression, ""))])}."
  }
}

variable "property" {
  description = "The text to compare: configuration, operational_data or specialized_data."
  type        = string
  default     = "configuration"
  nullable    = false
}

variable "today" {
  description = "The day for which exceptions are judged, YYYY-MM-DD. Defaults to the day of the plan, in UTC."
  type        = string
  default     = null

  validation {
    condition     = var.today == null || can(timeadd("${var.today}T00:00:00Z", "0s"))
    error_message = "Not a date: write it as 2027-01-31."
  }
}
