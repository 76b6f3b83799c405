terraform import enms_task.nightly 'Nightly backup'
