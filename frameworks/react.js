export * from '../dist/element/define.js';
