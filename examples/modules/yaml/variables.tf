variable "directory" {
  description = "The directory with the folders devices, links, pools, credentials, services, workflows and tasks."
  type        = string

  validation {
    condition     = length(fileset(var.directory, "{devices,links,pools,credentials,services,workflows,tasks}/**/*.{yaml,yml}")) > 0
    error_message = "There are no YAML files in the folders of ${var.directory}. An empty directory would delete everything: to do that, remove the module."
  }

  validation {
    condition = alltrue([for path in fileset(var.directory, "{devices,links,pools,credentials,services,workflows,tasks}/**/*.{yaml,yml}") :
      can([for object in flatten([yamldecode(file("${var.directory}/${path}"))]) : keys(object)])
    ])
    error_message = "These files are no valid YAML, or hold neither an object nor a list of objects. A validator or an editor shows the line: ${join(", ", [
      for path in fileset(var.directory, "{devices,links,pools,credentials,services,workflows,tasks}/**/*.{yaml,yml}") :
      path if !can([for object in flatten([yamldecode(file("${var.directory}/${path}"))]) : keys(object)])
    ])}."
  }
}

variable "renames" {
  description = "New names by old names, by folder: { devices = { OLD = \"NEW\" } }. What is renamed keeps its id, its runs and its relations. Steps need none when their workflow is renamed."
  type        = map(map(string))
  default     = {}
  nullable    = false
}

variable "update_pools" {
  description = "Whether eNMS computes the members of all pools by criteria after devices or links have changed."
  type        = bool
  default     = true
  nullable    = false
}

variable "adopt_existing" {
  description = "Whether existing instances are taken over. Defaults to the setting of the provider."
  type        = bool
  default     = null
}

variable "deletion_policy" {
  description = "What happens to an instance that is no longer in a file, and to all of them when the module is destroyed: delete, cascade or abandon. Defaults to the setting of the provider."
  type        = string
  default     = null
}

variable "max_deletions" {
  description = "The maximum number of instances that a plan may delete in each resource of the module. Links, edges and tasks are resources of their own, which Terraform counts. By default, there is no limit."
  type        = number
  default     = null
}
