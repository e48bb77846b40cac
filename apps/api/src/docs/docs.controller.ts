import { Controller, Get, Header } from '@nestjs/common';
import type { PageAnswer } from '../pages/page.js';
import { Pages } from '../pages/pages.decorator.js';
import { OpenApiDocument } from './document.js';
import { referencePage } from './reference.page.js';

@Controller()
export class DocsController {
  constructor(private readonly document: OpenApiDocument) {}

  @Get('openapi.json')
  @Header('cache-control', 'public, max-age=300')
  read() {
    return this.document.read();
  }

  @Get('docs')
  @Pages()
  show(): PageAnswer {
    return referencePage(this.document.read());
  }
}
