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
})
