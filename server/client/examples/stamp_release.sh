#!/bin/sh
# Stamps the artefacts of a release and verifies what came back. For any CI that has a shell and Node:
#
#   PHAROS_URL=https://pharos.example sh stamp_release.sh dist
#
# With PHAROS_API_KEY each stamp is an item of your account; without it the service has to stamp for everybody. Beside
# each artefact lies FILE.pharos afterwards: publish it with the artefact. It is a receipt until a public chain has the
# block, an hour or so later. A job of the next day puts the proofs in:
#
#   find dist -name '*.pharos' -exec pharos upgrade {} +
set -eu
folder=${1:?name the folder with the artefacts}

pharos stamp --each "$folder"

failed=0
list=$(mktemp)
trap 'rm -f "$list"' EXIT
find "$folder" -type f -name '*.pharos' | sort > "$list"
while IFS= read -r evidence; do
  artefact=${evidence%.pharos}
  code=0
  pharos verify "$evidence" --file "$artefact" --quiet || code=$?
  case $code in
    0) echo "proven    $artefact" ;;
    3) echo "accepted  $artefact" ;;
    *) echo "FAILED    $artefact (exit code $code)" >&2; failed=1 ;;
  esac
done < "$list"
exit "$failed"
