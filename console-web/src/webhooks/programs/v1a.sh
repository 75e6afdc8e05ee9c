# Ends with 0 when the body, which it reads, was signed with the key of the endpoint within the last five minutes.
# Set from the headers of the request ID, TIMESTAMP and SIGNATURE. It needs OpenSSL 3.
set -f
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
echo '-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA<PUBLIC_KEY>
-----END PUBLIC KEY-----' >"$folder/key"
{ printf %s "$ID.$TIMESTAMP."; cat; } >"$folder/signed"
age=$(($(date +%s) - TIMESTAMP))
for one in $SIGNATURE; do
  case $one in v1a,*) ;; *) continue ;; esac
  printf %s "${one#v1a,}" | base64 -d >"$folder/signature"
  openssl pkeyutl -verify -pubin -inkey "$folder/key" -rawin -in "$folder/signed" -sigfile "$folder/signature" &&
    [ "${age#-}" -lt 300 ] && exit 0
done
exit 1
