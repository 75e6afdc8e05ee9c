// Starts the explorer on our document. Keys that are pasted here live as long as the page does, and no longer.
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
