// Starts the explorer on our document. API keys pasted here are kept only while the page is open.
globalThis.SwaggerUIBundle({
  url: '/api/json/open_api',
  dom_id: '#explorer',
  presets: [globalThis.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
  // The page is no client of the authorization server, so it has no form for it. A token is pasted like a key.
  plugins: [() => ({ wrapComponents: { oauth2: () => () => null } })],
})
