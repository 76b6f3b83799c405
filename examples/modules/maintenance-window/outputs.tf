output "services" {
  description = "The services that the module has disabled, and will enable. Empty while no window is open."
  value       = sort([for name in local.services : name if var.active])
}

output "tasks" {
  description = "The tasks that the module has deactivated, and will activate. Empty while no window is open."
  value       = sort([for name in local.tasks : name if var.active])
}
