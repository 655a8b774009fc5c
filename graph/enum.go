package graph

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// ExactEnums is a gqlgen extension that refuses values of enums in variables that
// are not spelled as in the schema: gqlparser takes them in any case, and what is
// no value of ours would be stored.
type ExactEnums struct{}

// ExtensionName implements graphql.HandlerExtension.
func (ExactEnums) ExtensionName() string { return "ExactEnums" }

// Validate implements graphql.HandlerExtension.
func (ExactEnums) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext implements graphql.OperationContextMutator.
func (ExactEnums) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	for _, v := range op.Operation.VariableDefinitions {
		if wrong, ok := wrongEnum(v.Type, op.Variables[v.Variable]); ok {
			err := gqlerror.Errorf("%s", wrong)
			err.Path = ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}
			errcode.Set(err, errcode.ValidationFailed)
			return err
		}
	}
	return nil
}

// wrongEnum finds a value of an enum in v, a variable's value or a part of one,
// that is not spelled as in the schema.
func wrongEnum(t *ast.Type, v any) (message string, found bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if message, found = wrongEnum(t, e); found { // t.Name() is that of the elements
				return message, true
			}
		}
	case map[string]any:
		for _, f := range parsedSchema().Types[t.Name()].Fields {
			if message, found = wrongEnum(f.Type, v[f.Name]); found {
				return message, true
			}
		}
	case string:
		d := parsedSchema().Types[t.Name()]
		if d.Kind == ast.Enum && d.EnumValues.ForName(v) == nil {
			return fmt.Sprintf("%s is not a valid %s", v, d.Name), true
		}
	}
	return "", false
}
