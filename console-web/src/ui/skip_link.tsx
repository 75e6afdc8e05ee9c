// The first stop of the keyboard on every page. A button, because an address would change the history.
export const SkipLink = () => (
  <button type="button" className="skip-link" onClick={skip}>
    Skip to the content
  </button>
)

const skip = (): void => {
  const content = document.querySelector('main h1') ?? document.querySelector('main')
  if (!(content instanceof HTMLElement)) return
  content.tabIndex = -1
  content.focus()
}
