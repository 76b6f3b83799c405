# The keys are used only in Terraform. Changing a name renames in place in eNMS.
variable "sites" {
  description = "The sites: the names of their networks and devices, and what is known of the routers."
  type = map(object({
    network    = string
    gateway    = string
    router     = string
    prefix     = string
    model      = string
    os_version = string
    latitude   = string
    longitude  = string
  }))
  default = {
    austin = {
      network    = "Austin site"
      gateway    = "AUSTIN-GW"
      router     = "AUSTIN"
      prefix     = "10.3.0"
      model      = "C8300"
      os_version = "17.9.4"
      latitude   = "30.27"
      longitude  = "-97.74"
    }
    dallas = {
      network    = "Dallas site"
      gateway    = "DALLAS-GW"
      router     = "DALLAS"
      prefix     = "10.1.0"
      model      = "C8300"
      os_version = "17.6.1"
      latitude   = "32.78"
      longitude  = "-96.80"
    }
    houston = {
      network    = "Houston site"
      gateway    = "HOUSTON-GW"
      router     = "HOUSTON"
      prefix     = "10.2.0"
      model      = "ISR2911"
      os_version = "15.7.3"
      latitude   = "29.76"
      longitude  = "-95.37"
    }
  }
}

variable "workflow_name" {
  description = "What the workflow is called. Another name renames it and its services in place."
  type        = string
  default     = "Router upgrade"
}

variable "wanted_version" {
  description = "The version that routers are upgraded to."
  type        = string
  default     = "17.9.4"
}

variable "router_password" {
  description = "The password with which eNMS logs in to the routers."
  type        = string
  ephemeral   = true
}

variable "operator_password" {
  description = "The password of the operator in eNMS."
  type        = string
  ephemeral   = true
}

# Secrets are not in the state, so Terraform cannot detect changes.
variable "secrets_version" {
  description = "Another number sends the passwords again."
  type        = number
  default     = 1
}
