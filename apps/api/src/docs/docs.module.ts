import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocsController } from './docs.controller.js';
import { OpenApiDocument } from './openapi-document.js';
import { RouteScanner } from './route-scanner.js';

@Module({ imports: [DiscoveryModule], controllers: [DocsController], providers: [OpenApiDocument, RouteScanner] })
export class DocsModule {}
