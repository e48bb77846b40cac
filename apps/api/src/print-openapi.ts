import 'reflect-metadata';
import type { Dto } from './layers/edge/nest-internals.js';
import { CONTROLLERS } from './api.module.js';
import { openApiOf } from './reference/openapi.service.js';

// Needs neither a database nor settings.

process.stdout.write(JSON.stringify(openApiOf(CONTROLLERS as Dto[], 'https://desk.example')));
