import 'reflect-metadata';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { openApiOf } from './docs/openapi-document.js';
import { RouteScanner } from './docs/route-scanner.js';
import type { Dto } from './http/route-dtos.js';
import { RestModule } from './rest/rest.module.js';

// Prints the OpenAPI document without starting an API: for generators, which need neither database nor settings.

const scanner = new RouteScanner(new DiscoveryService(new ModulesContainer()), new MetadataScanner(), new Reflector());
const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, RestModule) as Dto[];
process.stdout.write(JSON.stringify(openApiOf(scanner.of(controllers), 'https://desk.example')));
