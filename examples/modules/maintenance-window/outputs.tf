output "services" {
  description = "The services that the window has disabled, and that its end enables. Empty when there is no window."
  value       = sort([for name in local.services : name if var.active])
}

output "tasks" {
  description = "The tasks that the window has switched off, and that its end switches on. Empty when there is no window."
  value       = sort([for name in local.tasks : name if var.active])
}
