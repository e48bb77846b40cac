module guide

go 1.19
