// Moves the token of a one-time link from the address into the form, so that neither history nor a log keeps it.
const given = new URLSearchParams(location.hash.slice(1)).get('token')
const field = document.querySelector('input[name="token"]')
if (given !== null && field !== null) {
  history.replaceState(null, '', location.pathname)
  field.value = given
  document.querySelector('#typed')?.setAttribute('hidden', '')
  document.querySelector('#found')?.removeAttribute('hidden')
}
