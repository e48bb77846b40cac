export { Public, SignedIn } from './caller.js';
