import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocsController } from './docs.controller.js';
import { OpenApiDocument } from './document.js';
import { Routes } from './routes.js';

@Module({ imports: [DiscoveryModule], controllers: [DocsController], providers: [OpenApiDocument, Routes] })
export class DocsModule {}
