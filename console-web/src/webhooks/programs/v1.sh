# Ends with 0 when the body, which it reads, was signed with the secret within the last five minutes.
# Set WEBHOOK_SECRET, and from the headers of the request ID, TIMESTAMP and SIGNATURE.
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
expected=$({ printf %s "$ID.$TIMESTAMP."; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
age=$(($(date +%s) - TIMESTAMP))
case " $SIGNATURE " in
*" v1,$expected "*) [ "${age#-}" -lt 300 ] ;;
*) exit 1 ;;
esac
