// Moves the token of a one-time link from the address into the form, so that neither history nor a log keeps it.
const given = new URLSearchParams(location.hash.slice(1)).get('token')
const form = document.querySelector('#link')
const field = document.querySelector('#token')
if (given !== null && form instanceof HTMLFormElement && field instanceof HTMLInputElement) {
  history.replaceState(null, '', location.pathname)
  field.value = given
  document.querySelector('#typed')?.setAttribute('hidden', '')
  document.querySelector('#found')?.removeAttribute('hidden')
  form.requestSubmit()
}
