export { IdentifierPipe } from './path-parameter.pipes.js';
