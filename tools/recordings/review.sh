# The review of a change of what export.sh has exported: examples/pipeline is the pipeline of a
# repository with the exported configuration as production.

export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.com GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.com
# edit changes a file by commands of sed.
edit() {
  sed "$2" "$1" >"$output"
  cp "$output" "$1"
}

quietly git init --quiet --bare --initial-branch=main origin.git
quietly git clone --quiet origin.git repository
cp -R "$EXAMPLES/pipeline" "$EXAMPLES/drift-check" repository
mv network/terraform.tfstate .
rm -r network/.terraform*
mv network repository/prod
cd repository
printf 'terraform {\n  backend "local" {\n    path = "%s"\n  }\n}\n' "$PWD/../terraform.tfstate" >prod/backend.tf
printf '%s\n' .pipeline/ .terraform/ .terraform.lock.hcl >.gitignore
git switch --quiet --create main
git add .
git commit --quiet --message="What is in production"
git push --quiet origin main
git switch --quiet --create houston
edit prod/devices.tf 's/ISR2911/C8300/; s/15[.]7[.]3/17.9.4/'
edit prod/pools.tf 's/"^ISR"/"^(ISR|ASR)"/'
git commit --quiet --all --message="Houston has a new router, and routers of the series ASR are to be replaced"

echo "# Ann opens a pull request. A reviewer sees what she has changed:"
run '^[-+] ' 'git diff --unified=0 main houston'
echo
echo "# and what that changes in production, in the comment of the check:"
quietly pipeline/check.sh plan
run '^[*]|^  #|^ +~ [^u]|^ +name  |^Plan' 'cat .pipeline/comment.md'
git switch --quiet main
git merge --quiet --ff-only houston
git push --quiet origin main
echo
echo "# After the merge, the release plans again, for the person who approves it:"
run '^Plan' 'pipeline/release.sh plan'
echo
echo "# Approved: the release applies this plan, and would refuse any other one."
run '^Apply|^release' 'pipeline/release.sh apply "$(cat .pipeline/digest)"'
