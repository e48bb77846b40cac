export { type Dto, dtoAt } from './nest-internals.js';
