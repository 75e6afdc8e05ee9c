#!/bin/sh
# A git hook that stamps the tree of each new tag: every file as git checks it out, by one manifest. Links and submodules
# are left out. To install it in a clone:
#
#   cp stamp_tag.sh .git/hooks/reference-transaction && chmod +x .git/hooks/reference-transaction
#
# The manifest of v1.0 is .git/pharos/v1.0.pharos. Whoever has it checks a checkout of the tag against it:
#
#   pharos verify --manifest v1.0.pharos FOLDER
#
# Git has made the tag when this runs, and keeps it whatever becomes of the stamp. To stamp it later: git tag -f v1.0 v1.0
[ "$1" = committed ] || exit 0
set -eu
unset GIT_INDEX_FILE GIT_WORK_TREE
store=$(git rev-parse --absolute-git-dir)/pharos
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

while read -r _ new reference; do
  case $reference in refs/tags/*) ;; *) continue ;; esac
  # A tag that is deleted leads to nothing but zeros.
  case $new in *[!0]*) ;; *) continue ;; esac
  manifest=$store/${reference#refs/tags/}.pharos
  folder=$tree/$new
  mkdir -p "$folder" "$(dirname "$manifest")"
  GIT_INDEX_FILE=$folder.index git --work-tree="$folder" read-tree --reset -u "$new"
  pharos stamp "$folder" -o "$manifest" >&2
done
