// Starts the reference on our document, with fonts from the reader's system.
const sans = 'system-ui, sans-serif'

globalThis.Redoc.init(
  '/api/json/open_api',
  {
    disableGoogleFont: true,
    hideDownloadButton: false,
    sortPropsAlphabetically: false,
    theme: {
      typography: {
        fontFamily: sans,
        headings: { fontFamily: sans },
        code: { fontFamily: 'ui-monospace, monospace' },
      },
    },
  },
  document.getElementById('reference'),
)
