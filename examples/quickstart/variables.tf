variable "routers" {
  description = "The address of each router, by its name."
  type        = map(string)
  default = {
    AUSTIN  = "10.0.0.3"
    DALLAS  = "10.0.0.1"
    HOUSTON = "10.0.0.2"
  }
}

variable "workflow_name" {
  description = "What the workflow is called. Another name renames it in place."
  type        = string
  default     = "Site Check"
}
