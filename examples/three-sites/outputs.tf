output "workflow" {
  description = "The name of the workflow, to run it by."
  value       = module.upgrade.name
}

output "steps" {
  description = "The services of the workflow."
  value       = module.upgrade.services
}
