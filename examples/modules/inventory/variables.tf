variable "csv" {
  description = "The devices: a text in CSV with a header, as of file(\"inventory.csv\"). Its columns are properties of devices, one of them name."
  type        = string

  validation {
    condition     = can(csvdecode(trimprefix(var.csv, "\uFEFF")))
    error_message = "The devices are not in CSV. There must be a header, each line must have as many cells as it, with commas between them, and no column may be there twice."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : can(row.name)])
    error_message = "The devices have no column name. Their columns, with commas between them, are: ${join(", ", try(keys(try(csvdecode(trimprefix(var.csv, "\uFEFF")), [])[0]), []))}."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row.name != "" && row.name == trimspace(row.name) if can(row.name)])
    error_message = "A device has no name, or one that begins or ends with a blank: ${join(", ", [for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : jsonencode(row) if try(row.name == "" || row.name != trimspace(row.name), false)])}."
  }

  validation {
    condition     = length([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row if can(row.name)]) == length(toset([for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row.name if can(row.name)]))
    error_message = "Several devices have the same name: ${join(", ", [for name, rows in { for row in try(csvdecode(trimprefix(var.csv, "\uFEFF")), []) : row.name => row... if can(row.name) } : name if length(rows) > 1])}."
  }
}

variable "links" {
  description = "The links, in the same way. Their columns are properties of links, among them name, source and destination."
  type        = string
  default     = null

  validation {
    condition     = var.links == null || can(csvdecode(trimprefix(var.links, "\uFEFF")))
    error_message = "The links are not in CSV. There must be a header, each line must have as many cells as it, with commas between them, and no column may be there twice."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : can(row.name)])
    error_message = "The links have no column name. Their columns, with commas between them, are: ${join(", ", try(keys(try(csvdecode(trimprefix(var.links, "\uFEFF")), [])[0]), []))}."
  }

  validation {
    condition     = alltrue([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row.name != "" && row.name == trimspace(row.name) if can(row.name)])
    error_message = "A link has no name, or one that begins or ends with a blank: ${join(", ", [for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : jsonencode(row) if try(row.name == "" || row.name != trimspace(row.name), false)])}."
  }

  validation {
    condition     = length([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row if can(row.name)]) == length(toset([for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row.name if can(row.name)]))
    error_message = "Several links have the same name: ${join(", ", [for name, rows in { for row in try(csvdecode(trimprefix(var.links, "\uFEFF")), []) : row.name => row... if can(row.name) } : name if length(rows) > 1])}."
  }
}

variable "one_resource_each" {
  description = "Whether each device is a resource of its own, enms_device, rather than an entry of enms_instances."
  type        = bool
  default     = false
  nullable    = false
}

variable "ignored_columns" {
  description = "Columns that are not sent to eNMS."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = !contains(var.ignored_columns, "name")
    error_message = "The column name cannot be ignored."
  }
}

variable "list_columns" {
  description = "Further columns whose cells hold lists of names, with semicolons between them, such as networks."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "site_column" {
  description = "The column of the devices that says at which site each is, for the output by_site and for pools."
  type        = string
  default     = "location"
  nullable    = false
}

variable "pool_name" {
  description = "The name of a pool for each site, such as \"Site %s\", where %s stands for the site. When omitted, there are none."
  type        = string
  default     = null

  validation {
    condition     = var.pool_name == null || try(length(regexall("%s", var.pool_name)) == 1 && can(format(var.pool_name, "site")), false)
    error_message = "The name of the pools must hold %s once, for the site, as in \"Site %s\"."
  }
}

variable "update_pools" {
  description = "Whether eNMS computes the members of all pools by criteria after devices or links have changed."
  type        = bool
  default     = true
  nullable    = false
}

variable "renames" {
  description = "New names by old ones, for devices whose name has changed: { OLD = \"NEW\" }. With one_resource_each, moved blocks do that."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "adopt_existing" {
  description = "Whether what exists in eNMS already is taken over. When omitted, as the provider says."
  type        = bool
  default     = null
}

variable "deletion_policy" {
  description = "What happens to an instance whose row is taken out, and to all of them when the module is destroyed: delete, cascade or abandon. When omitted, as the provider says."
  type        = string
  default     = null
}

variable "max_deletions" {
  description = "How many devices of each type a plan may delete at most: more are an error of the plan, and so is a destruction of the module while the state holds more devices than this. It does not count links, nor devices with one_resource_each. When omitted, there is no limit."
  type        = number
  default     = null
}
