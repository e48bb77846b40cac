import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { expect, it } from 'vitest';
import { controllerPath, dtoAt, routeAt } from './nest-internals.js';

class SampleQuery {}
class SampleBody {}

@Controller('samples')
class SamplesController {
  @Post(':id')
  change(@Param('id') id: string, @Query() query: SampleQuery, @Body() body: SampleBody): unknown[] {
    return [id, query, body];
  }

  noRoute(): void {}
}

const handlers = SamplesController.prototype as unknown as Readonly<Record<'change' | 'noRoute', object>>;

it('finds the path and method of a route in the metadata of the installed Nest', () => {
  expect(controllerPath(SamplesController)).toBe('samples');
  expect([handlers.change, handlers.noRoute].map(routeAt)).toEqual([{ method: 'POST', path: ':id' }, undefined]);
});

it('finds the classes of a handler’s query and body in the metadata of the installed Nest', () => {
  expect(dtoAt(SamplesController, 'change', 'query')).toBe(SampleQuery);
  expect(dtoAt(SamplesController, 'change', 'body')).toBe(SampleBody);
});
