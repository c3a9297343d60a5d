// oracle: asks for the values that KPIs are expected to have: those of a
// task, of a caller, or of an endpoint that the session may ask. Numbers keep
// their spelling: a figure must not change by being read.

package kpicheck
