# The export of a server that has what examples/three-sites describes.

cp -R "$EXAMPLES" examples
export TF_VAR_router_password=secret TF_VAR_operator_password=secret
quietly terraform -chdir=examples/three-sites init
quietly terraform -chdir=examples/three-sites apply -auto-approve

run '^ *[0-9]' 'terraform-provider-enms export network'
run '^' 'cd network'
run '^' 'cat pools.tf'
run '^Terraform has been' 'terraform init'
run 'enms_pool[^ ]* will be|^Plan' 'terraform plan'
run '^Apply' 'terraform apply -auto-approve'
run '^' 'rm imports.tf'
run '^No changes' 'terraform plan'
