import type { Fault } from '../fault.js';
import { MACHINE_ROWS } from './machine.js';
import { PAGE_ROWS } from './pages.js';
import { PART_ROWS } from './parts.js';
import { PEOPLE_ROWS } from './people.js';

/** The whole table. */
export const FAULTS: readonly Fault[] = [...PART_ROWS, ...PAGE_ROWS, ...PEOPLE_ROWS, ...MACHINE_ROWS];
