import { yang11 } from './yang.js';

/** A module with a choice of every kind, and the other parts of YANG that form libraries have no field for. */
export const CHOICES_MODULE = yang11(
  'm',
  `identity transport; identity fast { base transport; description "For low
     latency."; } identity safe { base transport; }
   grouping endpoint { list server { key "name port"; unique weight; leaf name { type string { pattern "[a-z]+"; } }
     leaf port { type uint16; } leaf weight { type uint8; } } }
   container top {
     choice protocol {
       case tcp { leaf port { type uint16; mandatory true; } leaf host { type string; } }
       case udp { leaf group { type string; } choice mode { leaf one-way { type empty; } leaf two-way { type empty; } } }
       container none-of-both { leaf reason { type string; mandatory true; } leaf note { type string; } } }
     choice address { default dynamic; case dynamic { leaf lease { type uint32; } } leaf-list fixed { type string; }
       list range { key low; leaf low { type string; } } }
     choice third { mandatory true; leaf a { type string; } leaf b { type string; } }
     leaf transport { type identityref { base transport; } }
     leaf flags { type bits { bit up; bit down; } }
     leaf secret { type binary; } leaf quiet { type empty; } leaf mtu { type uint16 { range "68..1500 | 9000"; } }
     leaf code { type string { length "2|4"; pattern "[A-Z]*"; pattern "[A-Y]*"; pattern "X.*" { modifier invert-match; } } }
     leaf either { type union { type uint8; type enumeration { enum auto; } } }
     leaf peer { type union { type string { pattern "[0-9.]+"; } type string { pattern "[0-9a-f:]+"; } } }
     anydata extra; anyxml any;
     container first { uses endpoint; } container second { uses endpoint; }
     container strict { presence "is on"; choice level { mandatory true; leaf low { type int8; } leaf high { type int8; } } }
   }
   list entry { key k; leaf k { type string; }
     choice way { mandatory true; case in { container c { leaf m { type string; mandatory true; } } leaf o { type string; } }
       case out { list q { key w; leaf w { type string; } } } } }
   choice outer { leaf left { type string; } leaf right { type string; } }`,
);
