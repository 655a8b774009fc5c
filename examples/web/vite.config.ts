import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://localhost:8080';

export default defineConfig({
  plugins: [react()],
  // The package beside this one is linked; what it imports is found here.
  resolve: { preserveSymlinks: true },
  build: {
    outDir: '../../internal/httpserver/ui/dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/graphql': { target: server, ws: true }, '/playground': server, '/docs': server, '/demo.json': server },
  },
});
