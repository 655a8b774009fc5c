// Drives the application in browsers. The arguments are the addresses that internal/test/web passes.
import { access } from './access.mjs';
import { connection } from './connection.mjs';
import { managing } from './manage.mjs';
import { evidence } from './evidence.mjs';
import { close } from './site.mjs';
import { tour } from './tour.mjs';

try {
  await tour();
  await connection();
  await managing();
  await evidence();
  await access();
} finally {
  await close();
}
