terraform import enms_workflow_edge.begin 'Upgrade: [Shared] Start -> [Upgrade] Backup (success)'
