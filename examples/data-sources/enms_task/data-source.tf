data "enms_task" "nightly" {
  name = "Nightly backup"
}

output "next_run" {
  value = data.enms_task.nightly.next_run_time
}
