output "service" {
  description = "The name of the service, for workflows and for other tasks."
  value       = enms_service.service.name
}

output "task" {
  description = "The name of the task."
  value       = enms_task.task.name
}

output "next_runs" {
  description = "When the task runs next, as timestamps with the offset of the zone. Empty when the task is not active, or when its only date has passed."
  value       = local.next_runs
}
