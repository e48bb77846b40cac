import 'reflect-metadata';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { openApiOf } from './reference/openapi.service.js';
import { RouteReader } from './reference/route-reader.js';
import type { Dto } from './edge/nest-internals.js';
import { CONTROLLERS } from './features.module.js';

// Needs neither a database nor settings.

const scanner = new RouteReader(new DiscoveryService(new ModulesContainer()), new MetadataScanner(), new Reflector());
process.stdout.write(JSON.stringify(openApiOf(scanner.of(CONTROLLERS as Dto[]), 'https://desk.example')));
